// expect: these arguments do not convert to the parameters of the entry
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void done(int iterations);
};

void use(kaon::Proxy<Block> blocks) { (void)kaon::callback<&Block::done, std::string>(blocks[0]); }
