// SPDX-License-Identifier: Apache-2.0
// Entries with properties, of a class that is derived from a class of chares.
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::derived_properties {

class Shelf : public Chare<Shelf> {
 public:
  int height() const { return 2; }
};

class Cupboard : public Chare<Cupboard, Index, Shelf> {
 public:
  int put(int number) {
    const bool is_next = number == next_;
    next_ = number + 1;
    return is_next ? 1 : 0;
  }
  void add(int number) { sum_ += number; }
  void add_in_turn(int number) { sum_ = 10 * sum_ + number; }
  int take() { return std::exchange(sum_, 0); }

  using ordered = Entries<&Cupboard::put, &Cupboard::add_in_turn>;
  using aggregated = Entries<&Cupboard::add, &Cupboard::add_in_turn>;

 private:
  int next_ = 0, sum_ = 0;
};

Task<> use_all_properties(Runtime& runtime) {
  const auto cupboards = co_await runtime.create<Cupboard>(static_cast<int>(runtime.pes()));
  const Element<Cupboard> last = cupboards[static_cast<int>(runtime.pes()) - 1];
  for (int i = 0; i < 3; ++i) {
    const int is_next = co_await last.call<&Cupboard::put>(i);
    CHECK(is_next == 1);
  }
  for (int i = 1; i <= 4; ++i) last.send<&Cupboard::add>(i);
  last.with_priority(BitPriority()).send<&Cupboard::add>(5);
  co_await runtime.quiescence();
  const int sum = co_await last.call<&Cupboard::take>();
  CHECK(sum == 15);
  for (int i = 1; i <= 4; ++i) last.send<&Cupboard::add_in_turn>(i);
  last.with_priority(BitPriority()).send<&Cupboard::add_in_turn>(5);
  co_await runtime.quiescence();
  const int digits = co_await last.with_priority(BitPriority()).call<&Cupboard::take>();
  CHECK(digits == 12345);
  const int height = co_await last.with_priority(BitPriority()).call<&Shelf::height>();
  CHECK(height == 2);
}

class Box : public Chare<Box> {
 public:
  virtual ~Box() = default;
  virtual void put(int) {}
  virtual void put_two(int, int) {}
  using ordered = Entries<&Box::put>;
  using aggregated = Entries<&Box::put_two>;
};
class Crate : public Box {
 public:
  void put(int) override {}
  void put(double) {}
  void put_two(int, int) override {}
};
class Chest : public Box {
 public:
  void lock() {}
  using ordered = Entries<&Chest::lock>;
};

TEST_CASE("what a base says of its entries is true of those that override them", "[chares][derived][order]") {
  using chares::is_aggregated, chares::is_ordered;
  constexpr auto kPut = static_cast<void (Crate::*)(int)>(&Crate::put);
  constexpr auto kOther = static_cast<void (Crate::*)(double)>(&Crate::put);
  STATIC_REQUIRE(is_ordered<&Box::put, Crate>);
  STATIC_REQUIRE(is_ordered<kPut, Crate>);
  STATIC_REQUIRE_FALSE(is_ordered<kOther, Crate>);
  STATIC_REQUIRE_FALSE(is_ordered<&Crate::put_two, Crate>);
  STATIC_REQUIRE(is_aggregated<&Crate::put_two, Crate>);
  STATIC_REQUIRE(is_ordered<&Chest::put, Chest>);  // beside a list of its own
  STATIC_REQUIRE(is_ordered<&Chest::lock, Chest>);
  STATIC_REQUIRE_FALSE(is_ordered<&Shelf::height, Shelf>);
}

TEST_CASE("entries of a derived class are ordered, aggregated and have bits", "[chares][derived][order]") {
  run_everywhere(use_all_properties);
}

}  // namespace kaon::testing::derived_properties
