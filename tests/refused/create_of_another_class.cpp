// expect: the argument is to be the class itself
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {};
class Wall : public kaon::Chare<Block> {};

kaon::Task<> use(kaon::Runtime& runtime) { co_await runtime.create<Wall>(4); }
