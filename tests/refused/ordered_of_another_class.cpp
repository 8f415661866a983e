// expect: each is an entry of the class that says so, or of a base of it
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Wall : public kaon::Chare<Wall> {
 public:
  void take(int) {}
};
class Block : public kaon::Chare<Block> {
 public:
  void take(int) {}
  using ordered = kaon::Entries<&Wall::take>;
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::take>(5); }
