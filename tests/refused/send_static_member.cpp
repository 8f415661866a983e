// expect: send<&Chare::entry>: a static member is no entry
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  static void go(int) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::go>(1); }
