// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
// shows: ResultOfEntry<&Block::where>
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  int* where() { return nullptr; }
};

void use(kaon::Proxy<Block> blocks) { (void)blocks[0].call<&Block::where>(); }
