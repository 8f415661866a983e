// expect: call_all<&Chare::entry>(op, ...): op has state
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Scaled {
  double factor;
  double operator()(double a, double b) const { return a + factor * b; }
};
class Block : public kaon::Chare<Block> {
 public:
  double norm() { return 0; }
};

void use(kaon::Proxy<Block> blocks) { (void)blocks.call_all<&Block::norm>(Scaled{2}); }
