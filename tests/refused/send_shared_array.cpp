// expect: this smart pointer cannot be sent
// SPDX-License-Identifier: Apache-2.0
// shows: ParameterOf<&Block::take>::Number<1>
#include <memory>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(std::shared_ptr<double[]>) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::take>(std::make_shared<double[]>(1)); }
