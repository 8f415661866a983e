// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
// shows: ConstructorArgumentOf<Block>::Number<1>
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(int*) {}
};

kaon::Task<> use(kaon::Runtime& runtime) {
  int number = 0;
  co_await runtime.create<Block>(4, &number);
}
