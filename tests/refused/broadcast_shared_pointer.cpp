// expect: a broadcast gives every element a copy of the arguments, and one of these cannot be copied
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(std::shared_ptr<int> value);
};

void use(kaon::Proxy<Block> blocks, std::shared_ptr<int> value) { blocks.broadcast<&Block::take>(std::move(value)); }
