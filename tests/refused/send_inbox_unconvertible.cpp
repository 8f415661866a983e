// expect: send<&Chare::entry>(...): these arguments do not convert to the parameters of the entry
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

struct Halo {
  int step;
  double value;
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Inbox<Halo, &Halo::step> halos;
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::halos>(1, std::string("two")); }
