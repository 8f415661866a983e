// expect: a point of rest: the class needs a default constructor
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(int) {}
  kaon::Task<> run() { co_await at_rest<&Block::run>(); }
  template <class Archive>
  void pup(Archive&) {}
};
