// expect: op does not combine two results of the entry; kaon::sum, product, min and max combine numbers, and vectors
// and arrays of them SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <kaon/kaon.hpp>

struct Node {
  int value;
};
class Block : public kaon::Chare<Block> {
 public:
  std::vector<Node> nodes() { return {}; }
};

void use(kaon::Proxy<Block> blocks) { (void)blocks.call_all<&Block::nodes>(kaon::sum); }
