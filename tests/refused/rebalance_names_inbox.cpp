// expect: a point of rest names an Inbox
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  kaon::Inbox<int> numbers;
  kaon::Task<> run() { co_await rebalance<&Block::numbers>(1); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(numbers);
  }
};
