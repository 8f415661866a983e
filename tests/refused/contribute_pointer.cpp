// expect: contribute(op, value): the value cannot be serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct First {
  int* operator()(int* a, int*) const { return a; }
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run(int number) { co_await contribute(First{}, &number); }
};
