// expect: call_all_and_wait<&Chare::inbox>: broadcast to an Inbox instead
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  kaon::Inbox<int> numbers;
};

void use(kaon::Proxy<Block> blocks) { (void)blocks.call_all_and_wait<&Block::numbers>(1); }
