// expect: private
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
  void hidden() {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::hidden>(); }
