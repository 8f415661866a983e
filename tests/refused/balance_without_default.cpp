// expect: balance(array, ...): the class needs a default constructor
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(int) {}
  template <class Archive>
  void pup(Archive&) {}
};

kaon::Task<> run(kaon::Runtime& runtime, kaon::Proxy<Block> blocks) {
  co_await runtime.balance(blocks, kaon::strategies::greedy);
}
