// expect: send<&Chare::entry>(...): these arguments do not convert to the parameters of the entry
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void set(int, double) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::set>(1); }
