// expect: send<&Chare::entry>(...): these arguments do not convert to the parameters of the entry
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(std::vector<int>) {}
};

// Five zeros are not meant.
void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::take>(5); }
