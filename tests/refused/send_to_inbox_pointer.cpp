// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
// shows: In<Halo>, kaon::chares::ParameterOf<&Block::halos>::Number<1>
#include <kaon/kaon.hpp>

struct Halo {
  int step;
  double* plane;
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Inbox<Halo, &Halo::step> halos;
};

void use(kaon::Proxy<Block> blocks, double* plane) { blocks[0].send<&Block::halos>(1, plane); }
