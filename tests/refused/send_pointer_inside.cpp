// expect: a parameter cannot be serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Node {
  int* next;
};
class Block : public kaon::Chare<Block> {
 public:
  void link(Node) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::link>(Node{}); }
