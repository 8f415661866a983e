// expect: call_all<&Chare::entry>(op, ...): op does not combine two results of the entry
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Wrong {
  double operator()(double, int*) const { return 0; }
};
class Block : public kaon::Chare<Block> {
 public:
  double norm() { return 0; }
};

void use(kaon::Proxy<Block> blocks) { (void)blocks.call_all<&Block::norm>(Wrong{}); }
