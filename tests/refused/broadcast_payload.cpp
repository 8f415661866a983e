// expect: a broadcast gives every element a copy of the arguments, and one of these cannot be copied
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(kaon::Payload<double>) {}
};

void use(kaon::Proxy<Block> blocks) { blocks.broadcast<&Block::take>(kaon::Payload<double>()); }
