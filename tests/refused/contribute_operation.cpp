// expect: contribute(op, value): op does not combine two such values
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

struct Node {
  int value;
};
struct Wrong {
  int operator()(std::string, std::string) const { return 0; }
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run() { co_await contribute(Wrong{}, Node{1}); }
};
