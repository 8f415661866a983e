// expect: a post rule returns a kaon::Landing, or a std::array<kaon::Landing, N> for N payloads
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(kaon::Payload<double>) {}
  int post(kaon::PostFor<&Block::take>, const kaon::Payload<double>&) { return 1; }
};

void use(kaon::Element<Block> block) { block.send<&Block::take>(kaon::Payload<double>()); }
