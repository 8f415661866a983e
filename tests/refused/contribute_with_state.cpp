// expect: contribute(op, value): op has state
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Scaled {
  double factor;
  double operator()(double a, double b) const { return a + factor * b; }
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run() { co_await contribute(Scaled{2}, 1.0); }
};
