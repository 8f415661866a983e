// expect: call<&Chare::entry>: the result of the entry cannot be serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  int* where() { return nullptr; }
};

void use(kaon::Proxy<Block> blocks) { (void)blocks[0].call<&Block::where>(); }
