// expect: an entry that returns a Task takes its parameters by value
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  kaon::Task<> run(const std::string&);
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::run>(std::string()); }
