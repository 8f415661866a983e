// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
// shows: ParameterOf<&Block::solve>::Number<2>
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void solve(int, double*) {}
};

void use(kaon::Proxy<Block> blocks, double* values) { blocks[0].send<&Block::solve>(1, values); }
