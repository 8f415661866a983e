// expect: a class of chares that is to be made has pure virtual functions
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  virtual void run() = 0;
};

kaon::Task<> use(kaon::Runtime& runtime) { co_await runtime.create<Block>(4); }
