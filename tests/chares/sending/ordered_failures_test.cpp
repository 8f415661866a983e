// SPDX-License-Identifier: Apache-2.0
// What is sent in an order and never arrives, or late.
#include <stdexcept>
#include <string>

#include "kaon/chares/sending/ordered_entry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::broken_orders {

int wrong = 0, taken = 0;
void reset() { wrong = taken = 0; }

/// Cannot be packed when it says so, for the first time or where it would be packed again.
struct Brittle {
  int number = 0;
  bool is_broken = false;
  PeId from = 0;  // the least PE on which it breaks
  std::string text;
  template <class Archive>
  void pup(Archive& archive) {
    archive(number, is_broken, from, text);
    if constexpr (Archive::is_saving)
      if (is_broken && this_runtime().pe() >= from) throw std::domain_error("it broke");
  }
};

class Shelf : public Chare<Shelf> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(next_);
  }
  void put(const Brittle& what) { see(what); }
  int keep(int number) { return see({number, false, 0, {}}), number; }
  void put_in_parcels(const Brittle& what) { see(what); }
  void go(PeId to) { migrate_to(to); }

  using ordered = Entries<&Shelf::put, &Shelf::keep, &Shelf::put_in_parcels>;
  using aggregated = Entries<&Shelf::put_in_parcels>;

 private:
  void see(const Brittle& what) {
    ++taken;
    if (what.number < next_) ++wrong;
    next_ = what.number;
  }
  int next_ = 0;
};

constexpr int kThings = 40;
constexpr std::size_t kLong = 300;  // several batches, and one for those that are longest

Task<> send_what_breaks(Runtime& runtime) {
  const auto shelves = co_await runtime.create<Shelf>(static_cast<int>(runtime.pes()));
  const Element<Shelf> last = shelves[static_cast<int>(runtime.pes()) - 1];
  int broken = 0;
  for (int i = 0; i < kThings; ++i) {
    const Brittle what{i, i % 4 == 1, 0, std::string(kLong * static_cast<std::size_t>(i), 'x')};
    try {
      if (i % 3 == 0)
        last.send<&Shelf::put_in_parcels>(what);
      else if (i % 3 == 1)
        last.send<&Shelf::put>(what);
      else
        last.with_priority(BitPriority().child(0, 1)).send<&Shelf::put>(what);
    } catch (const std::domain_error&) {
      ++broken;
    }
  }
  co_await runtime.quiescence();
  CHECK(taken == kThings - broken);
  CHECK(wrong == 0);
}

/// By those who do not know where it is: what cannot be packed breaks where it is sent on.
Task<> call_with_what_breaks_on_its_way(Runtime& runtime) {
  const PeId last = runtime.pes() - 1;
  const auto shelves = co_await runtime.create<Shelf>(static_cast<int>(runtime.pes()));
  const Element<Shelf> shelf = shelves[static_cast<int>(last)];
  int broken = 0;
  for (int i = 0; i < kThings; ++i) {
    if (i % 5 == 0) shelf.send<&Shelf::go>(i % 2 == 0 ? 0 : last / 2);
    const Brittle what{i, i % 4 == 1, 1, {}};
    try {
      co_await shelf.call<&Shelf::put>(what);
    } catch (const std::domain_error&) {
      ++broken;
    }
  }
  co_await runtime.quiescence();
  CHECK(taken == kThings - broken);
  CHECK(wrong == 0);
}

TEST_CASE("an ordered message that cannot be packed is not waited for by those behind it", "[order]") {
  run_everywhere(send_what_breaks, &reset);
  run_everywhere(call_with_what_breaks_on_its_way, &reset);
}

/// What is called has its turn where it is awaited, if it is.
Task<> call_late_or_never(Runtime& runtime) {
  const auto shelves = co_await runtime.create<Shelf>(static_cast<int>(runtime.pes()));
  const Element<Shelf> last = shelves[static_cast<int>(runtime.pes()) - 1];
  { const auto forgotten = last.call<&Shelf::keep>(0); }
  auto later = last.call<&Shelf::keep>(2);
  const int first = co_await last.call<&Shelf::keep>(1);
  const int second = co_await later;
  CHECK(first == 1);
  CHECK(second == 2);
  const auto [third, fourth] = co_await all(last.call<&Shelf::keep>(3), last.call<&Shelf::keep>(4));
  CHECK(third == 3);
  CHECK(fourth == 4);
  CHECK(taken == 4);
  CHECK(wrong == 0);
}

Task<> call_late_or_never_by_bits(Runtime& runtime) {
  const auto shelves = co_await runtime.create<Shelf>(static_cast<int>(runtime.pes()));
  const Element<Shelf> last = shelves[static_cast<int>(runtime.pes()) - 1];
  const BitPriority bits = BitPriority().child(1, 1);
  { const auto forgotten = last.with_priority(bits).call<&Shelf::keep>(0); }
  auto later = last.with_priority(BitPriority()).call<&Shelf::keep>(2);
  const int first = co_await last.with_priority(bits).call<&Shelf::keep>(1);
  const int second = co_await later;
  CHECK(first == 1);
  CHECK(second == 2);
  CHECK(taken == 2);
  CHECK(wrong == 0);
}

TEST_CASE("a call of an ordered entry has its turn where it is awaited", "[order]") {
  run_everywhere(call_late_or_never, &reset);
  run_everywhere(call_late_or_never_by_bits, &reset);
}

/// Cannot be copied, and copies where others move, when it says so.
struct Stiff {
  bool is_broken = false;
  explicit Stiff(bool breaks = false) : is_broken(breaks) {}
  Stiff(const Stiff& other) : is_broken(other.is_broken) {
    if (is_broken) throw std::domain_error("it broke");
  }
  Stiff& operator=(const Stiff&) = default;
  template <class Archive>
  void pup(Archive& archive) {
    archive(is_broken);
  }
};

class Rack : public Chare<Rack> {
 public:
  void put(const Stiff&) { ++taken; }
  int keep(const Stiff&) { return ++taken; }
  void put_in_parcels(const Stiff&) { ++taken; }

  using ordered = Entries<&Rack::put, &Rack::keep, &Rack::put_in_parcels>;
  using aggregated = Entries<&Rack::put_in_parcels>;
};

Task<> send_what_cannot_be_copied(Runtime& runtime) {
  const auto racks = co_await runtime.create<Rack>(static_cast<int>(runtime.pes()));
  const Element<Rack> last = racks[static_cast<int>(runtime.pes()) - 1];
  const Stiff broken(true), whole;
  CHECK_THROWS_AS(last.send<&Rack::put>(broken), std::domain_error);
  CHECK_THROWS_AS(last.send<&Rack::put_in_parcels>(broken), std::domain_error);
  CHECK_THROWS_AS(last.with_priority(BitPriority()).send<&Rack::put>(broken), std::domain_error);
  CHECK_THROWS_AS(last.call<&Rack::keep>(broken), std::domain_error);
  last.send<&Rack::put_in_parcels>(whole);
  last.send<&Rack::put>(whole);
  const int all = co_await last.call<&Rack::keep>(whole);
  CHECK(all == 3);
}

TEST_CASE("an ordered message that cannot be copied has no turn", "[order]") {
  run_everywhere(send_what_cannot_be_copied, &reset);
}

/// Sends when it ends.
class Last : public Chare<Last> {
 public:
  ~Last() {
    array()[0].send<&Last::put>(1);
    array()[0].send<&Last::put_in_parcels>(1);
  }
  void put(int) {}
  void put_in_parcels(int) {}

  using ordered = Entries<&Last::put, &Last::put_in_parcels>;
  using aggregated = Entries<&Last::put_in_parcels>;
};

TEST_CASE("what is sent in order at the end of the run goes nowhere", "[order]") {
  run_everywhere([](Runtime& runtime) -> Task<> { static_cast<void>(co_await runtime.create<Last>(4)); });
}

}  // namespace kaon::testing::broken_orders
