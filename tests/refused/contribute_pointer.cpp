// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
// shows: ValueToContribute
#include <kaon/kaon.hpp>

struct First {
  int* operator()(int* a, int*) const { return a; }
};
class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run(int number) { co_await contribute(First{}, &number); }
};
