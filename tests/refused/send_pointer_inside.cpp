// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
// shows: In<Node>, kaon::chares::ParameterOf<&Block::link>::Number<1>
#include <kaon/kaon.hpp>

struct Node {
  int* next;
};
class Block : public kaon::Chare<Block> {
 public:
  void link(Node) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::link>(Node{}); }
