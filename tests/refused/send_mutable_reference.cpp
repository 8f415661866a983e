// expect: an entry takes its parameters by value or by const reference
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void fill(std::vector<int>&) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::fill>(std::vector<int>()); }
