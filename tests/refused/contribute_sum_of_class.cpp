// expect: op does not combine two such values; kaon::sum, product, min and max combine numbers, and vectors and arrays
// of them SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Node {
  int value;
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run() { co_await contribute(kaon::max, Node{1}); }
};
