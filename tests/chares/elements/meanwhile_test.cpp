// SPDX-License-Identifier: Apache-2.0
// Elements that end while others send to all of them, reduce and move; places and pups that are wrong.
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::meanwhile {

class Part : public Chare<Part> {
 public:
  void touch() { ++touched_; }
  int touched() const { return touched_; }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }
  void give(Callback<long> to) { contribute(sum, 1L, to); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(touched_);
  }

 private:
  int touched_ = 0;
};

constexpr int kCount = 24;

/// Every third ends, and every second moves, while broadcasts and multicasts are under way.
Task<> end_while_all_are_sent_to(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(kCount);
  std::vector<Index> members;
  for (int i = 0; i < kCount; i += 2) members.push_back(i);
  const auto even = co_await parts.section(members);
  for (int i = 0; i < kCount; ++i) {
    parts.broadcast<&Part::touch>();
    even.broadcast<&Part::touch>();
    if (i % 2 == 0) parts[i].send<&Part::go>(static_cast<PeId>(i * 7) % runtime.pes());
    if (i % 3 == 0) parts[i].send<&Part::end>();
  }
  co_await runtime.quiescence();
  constexpr int kOdd = 8, kEven = 8;  // that are left
  CHECK_AWAITED(parts.call_all<&Part::touched>(sum), kOdd * kCount + kEven * 2 * kCount);
  CHECK_AWAITED(even.call_all<&Part::touched>(sum), kEven * 2 * kCount);
}

/// What ends behind its contribution has been counted; who ends before is not waited for.
Task<> end_while_they_reduce(Runtime& runtime) {
  const auto parts = co_await runtime.create_sparse<Part>();
  for (int i = 0; i < kCount; ++i) co_await parts[i].insert_and_wait();
  int left = kCount;
  for (int round = 0; round < 3; ++round) {
    auto future = runtime.future<long>();
    for (int i = 0; i < kCount; ++i)
      if (i % 6 >= round) parts[i].send<&Part::go>(static_cast<PeId>(i + round) % runtime.pes());
    co_await runtime.quiescence();
    for (int i = round; i < kCount; i += 6) {
      parts[i].send<&Part::end>();
      --left;
    }
    co_await runtime.quiescence();
    parts.broadcast<&Part::give>(future.callback());
    for (int i = 0; i < kCount; ++i)
      if (i % 6 > round) parts[i].send<&Part::go>(static_cast<PeId>(i * 5 + round) % runtime.pes());
    CHECK_AWAITED(future, left);
  }
}

TEST_CASE("elements end and move while broadcasts and multicasts are under way", "[chares][meanwhile]") {
  run_everywhere(&end_while_all_are_sent_to);
}
TEST_CASE("elements end and move between and during reductions of a sparse array", "[chares][meanwhile]") {
  run_everywhere(&end_while_they_reduce);
}

class Misplaced : public Chare<Misplaced> {
 public:
  static PeId place(const Index& index, PeId pes) { return index.x == 3 ? pes : 0; }
};

Task<> make_misplaced(Runtime& runtime) { static_cast<void>(co_await runtime.create<Misplaced>(5)); }

TEST_CASE("a place that is no PE is an error that names the class and the PE", "[chares][meanwhile]") {
  Scene scene({2, 2}, default_options(), 1);
  const std::string said = thrown<UsageError>([&] { scene.run(&make_misplaced); });
  CAPTURE(said);
  CHECK(has(said, "Misplaced::place() named PE 4: the run has PEs 0 to 3"));
}

template <int kWritten, int kRead>
class Uneven : public Chare<Uneven<kWritten, kRead>> {
 public:
  void go(PeId to) { this->migrate_to(to); }
  template <class Archive>
  void pup(Archive& archive) {
    const int count = Archive::is_loading ? kRead : kWritten;
    for (int i = 0; i < count; ++i) archive(value_);
  }

 private:
  std::uint64_t value_ = 1;
};

template <class C>
Task<> move_two(Runtime& runtime) {
  const auto elements = co_await runtime.create<C>(4);
  for (int i = 0; i < 2; ++i) elements[i].template send<&C::go>(runtime.pes() - 1);
  co_await runtime.quiescence();
}
template <class C>
std::string said_of() {
  Scene scene({2, 1}, default_options(), 1);
  return thrown<CorruptMessage>([&] { scene.run(&move_two<C>); });
}

TEST_CASE("a pup that reads other than it wrote is named when its chare moves", "[chares][meanwhile]") {
  const std::string less = said_of<Uneven<3, 1>>(), more = said_of<Uneven<1, 2>>();
  CAPTURE(less, more);
  CHECK(has(less, "reads other than it wrote: the last 16 bytes stay unread"));
  CHECK(has(less, "element ("));
  CHECK(has(more, "reads other than it wrote"));
}

}  // namespace kaon::testing::meanwhile
