// SPDX-License-Identifier: Apache-2.0
// Who is bound to one that ends, or that waits for one that ends.
#include <kaon/kaon.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::bonds_that_end {

class Mast : public Chare<Mast> {
 public:
  template <class Archive>
  void pup(Archive&) {}
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }
  PeId where() { return pe(); }
};

/// A chare of a crew rests, or waits for a word.
class Sailor : public Chare<Sailor> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(rests_, word);
  }
  Task<> rest() {
    ++rests_;
    co_await at_rest<&Sailor::go_on>();
    ++rests_;
  }
  Task<> go_on() {
    ++rests_;
    co_return;
  }
  Task<> wait() { static_cast<void>(co_await word.next()); }
  void end() { destroy(); }
  int rests() const { return rests_; }
  PeId where() { return pe(); }
  Inbox<int> word;

 private:
  int rests_ = 0;
};

struct Ship {
  Proxy<Mast> masts;
  Proxy<Sailor> first, second;
};

/// The mast is to go to another PE, for which its first sailor rests and its second one does not.
Task<Ship> make_ship_that_is_to_go(Runtime& runtime, PeId to) {
  const auto masts = co_await runtime.create<Mast>(static_cast<int>(runtime.pes()));
  const auto first = co_await runtime.create_bound<Sailor>(masts);
  const auto second = co_await runtime.create_bound<Sailor>(masts);
  second[0].send<&Sailor::wait>();
  co_await runtime.quiescence();
  co_await masts[0].call<&Mast::go>(to);
  first[0].send<&Sailor::rest>();
  co_await runtime.quiescence();
  const int rests = co_await first[0].call<&Sailor::rests>();
  CHECK(rests == 1);
  co_return Ship{masts, first, second};
}

Task<> end_the_mast(Runtime& runtime) {
  const PeId last = runtime.pes() - 1;
  if (last == 0) co_return;  // there is nowhere to go
  const Ship ship = co_await make_ship_that_is_to_go(runtime, last);
  co_await ship.masts[0].call<&Mast::end>();
  co_await runtime.quiescence();
  const int rests = co_await ship.first[0].call<&Sailor::rests>();
  const PeId pe = co_await ship.first[0].call<&Sailor::where>();
  CHECK(rests == 2);
  CHECK(pe == 0);
  ship.second[0].send<&Sailor::word>(1);
  co_await runtime.quiescence();
}

Task<> end_a_sailor(Runtime& runtime) {
  const PeId last = runtime.pes() - 1;
  if (last == 0) co_return;
  const Ship ship = co_await make_ship_that_is_to_go(runtime, last);
  co_await ship.second[0].call<&Sailor::end>();
  co_await runtime.quiescence();
  const PeId pe = co_await ship.masts[0].call<&Mast::where>();
  const PeId first = co_await ship.first[0].call<&Sailor::where>();
  CHECK(pe == last);
  CHECK(first == last);
}

TEST_CASE("who rests for the move of one that ends instead goes on where it is", "[chares][bonds]") {
  run_everywhere(end_the_mast);
}
TEST_CASE("who is to move need not wait for one that has ended", "[chares][bonds]") { run_everywhere(end_a_sailor); }

}  // namespace kaon::testing::bonds_that_end
