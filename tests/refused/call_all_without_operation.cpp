// expect: this entry has a result: say how to combine it
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  double norm() { return 0; }
};

void use(kaon::Proxy<Block> blocks) { (void)blocks.call_all_and_wait<&Block::norm>(); }
