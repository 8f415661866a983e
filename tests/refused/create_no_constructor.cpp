// expect: create<C>(shape, ...): C has no constructor for these arguments
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {};

kaon::Task<> use(kaon::Runtime& runtime) { co_await runtime.create<Block>(4, 1.5); }
