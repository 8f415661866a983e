// expect: post(PostFor<&C::entry>, ...) takes the entry's arguments, by value or const reference
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(int, kaon::Payload<double>) {}
  kaon::Landing post(kaon::PostFor<&Block::take>, kaon::Payload<double>&) { return kaon::Landing::pooled(); }
};

void use(kaon::Element<Block> block) { block.send<&Block::take>(1, kaon::Payload<double>()); }
