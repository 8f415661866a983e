// expect: contribute(op, value): every element gets a copy of the result
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct First {
  kaon::Payload<int> operator()(kaon::Payload<int> a, kaon::Payload<int>) const { return a; }
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run() { co_await contribute(First{}, kaon::Payload<int>()); }
};
