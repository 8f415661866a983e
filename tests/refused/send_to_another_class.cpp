// expect: send<&Chare::entry>: this entry belongs to another chare class
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Other : public kaon::Chare<Other> {
 public:
  void go(int) {}
};
class Block : public kaon::Chare<Block> {};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Other::go>(1); }
