// expect: the elements of C are to be indexed as those of the leader are
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Cell : public kaon::Chare<Cell> {};
class Pair : public kaon::Chare<Pair, kaon::Coordinates<6>> {};

kaon::Task<> run(kaon::Runtime& runtime, kaon::Proxy<Cell> cells) { co_await runtime.create_bound<Pair>(cells); }
