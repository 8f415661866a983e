// expect: messages with a kaon::Payload are not aggregated
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(int, kaon::Payload<double>) {}
  using aggregated = kaon::Entries<&Block::take>;
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::take>(1, kaon::Payload<double>()); }
