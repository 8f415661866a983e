// expect: create<C>: C must derive from kaon::Chare<C>
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Plain {};

kaon::Task<> use(kaon::Runtime& runtime) { co_await runtime.create<Plain>(4); }
