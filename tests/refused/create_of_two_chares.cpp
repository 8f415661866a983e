// expect: a class of chares has one class of chares as its base, publicly
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class One : public kaon::Chare<One> {};
class Other : public kaon::Chare<Other> {};
class Both : public One, public Other {};

kaon::Task<> use(kaon::Runtime& runtime) { co_await runtime.create<Both>(4); }
