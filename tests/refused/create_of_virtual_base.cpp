// expect: a class of chares has kaon::Chare as a virtual base
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public virtual kaon::Chare<Block> {};

kaon::Task<> use(kaon::Runtime& runtime) { co_await runtime.create<Block>(4); }
