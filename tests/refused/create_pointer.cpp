// expect: create<C>(shape, ...): an argument cannot be serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(int*) {}
};

kaon::Task<> use(kaon::Runtime& runtime) {
  int number = 0;
  co_await runtime.create<Block>(4, &number);
}
