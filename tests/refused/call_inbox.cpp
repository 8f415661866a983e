// expect: an Inbox gives no result to wait for
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Halo {
  int step;
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Inbox<Halo, &Halo::step> halos;
};

void use(kaon::Proxy<Block> blocks) { (void)blocks[0].call<&Block::halos>(1); }
