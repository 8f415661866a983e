// SPDX-License-Identifier: Apache-2.0
// Tasks that ask for keys of one hash, and what may be a key.
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kaon/chares/entries/inbox.hpp"
#include "kaon/chares/waits/all_any.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::inbox_askers {

/// All of one hash.
struct Crowded {
  int number = 0;
  friend bool operator==(const Crowded&, const Crowded&) = default;
  friend std::size_t hash_value(const Crowded&) { return 7; }
  template <class Archive>
  void pup(Archive& p) {
    p(number);
  }
};
enum class Color : std::uint8_t { red, green };
using Pair = std::pair<std::string, int>;
using Triple = std::tuple<Color, bool, std::array<int, 2>>;

template <class K>
struct Keyed {
  K key{};
  int value = 0;
};

class Keeper : public Chare<Keeper> {
 public:
  Inbox<Keyed<Crowded>, &Keyed<Crowded>::key> crowded;
  Inbox<Keyed<Pair>, &Keyed<Pair>::key> pairs;
  Inbox<Keyed<Triple>, &Keyed<Triple>::key> triples;
  Inbox<Keyed<Index>, &Keyed<Index>::key> indices;
  Inbox<Keyed<double>, &Keyed<double>::key> numbers;

  Task<int> take_one_crowded(int key) { co_return (co_await crowded.when({key})).value; }
  Task<int> take_crowded_or_give_up(int key) {
    co_return static_cast<int>((co_await any(crowded.when({key}), crowded.when({key + 1}))).index());
  }
  Task<int> take_of_all_kinds() {
    self().send<&Keeper::pairs>(Keyed<Pair>{{"a", 1}, 1});
    self().send<&Keeper::pairs>(Keyed<Pair>{{"a", 2}, 2});
    self().send<&Keeper::triples>(Keyed<Triple>{{Color::green, true, {3, 4}}, 3});
    self().send<&Keeper::indices>(Keyed<Index>{{1, 2, 3}, 4});
    int sum = (co_await pairs.when({"a", 2})).value;
    sum += 10 * (co_await pairs.when({"a", 1})).value;
    sum += 100 * (co_await triples.when({Color::green, true, {3, 4}})).value;
    co_return sum + 1000 * (co_await indices.when({1, 2, 3})).value;
  }
  Task<std::vector<int>> take_oldest_numbers() {
    const double unlike_itself = std::numeric_limits<double>::quiet_NaN();
    self().send<&Keeper::numbers>(Keyed<double>{1.0, 1});
    self().send<&Keeper::numbers>(Keyed<double>{unlike_itself, 2});
    self().send<&Keeper::numbers>(Keyed<double>{0.0, 3});
    const Keyed<double> zero = co_await numbers.when(-0.0);
    std::vector<int> values(1, zero.value);
    for (int i = 0; i < 2; ++i) {
      const Keyed<double> oldest = co_await numbers.next();
      values.push_back(oldest.value);
    }
    co_return values;
  }
};

/// The last key first, when all have asked.
Task<int> send_to_all(Runtime& runtime, Element<Keeper> keeper, int keys) {
  co_await runtime.sleep_for(std::chrono::seconds(1));
  for (int key = keys; key-- > 0;) keeper.send<&Keeper::crowded>(Keyed<Crowded>{{key}, key * key});
  co_return 0;
}

Task<int> ask(Element<Keeper> keeper, int key) { co_return co_await keeper.call<&Keeper::take_one_crowded>(key); }

Task<> serve_crowded_waiters(Runtime& runtime) {
  constexpr int kKeys = 40;
  const auto keepers = co_await runtime.create<Keeper>(1);
  std::vector<Task<int>> waiting;
  for (int key = 0; key < kKeys; ++key) waiting.push_back(ask(keepers[0], key));
  waiting.push_back(send_to_all(runtime, keepers[0], kKeys));
  const std::vector<int> values = co_await all(std::move(waiting));
  for (int key = 0; key < kKeys; ++key) CHECK(values[static_cast<std::size_t>(key)] == key * key);
}

Task<int> ask_for_either(Element<Keeper> keeper, int key) {
  co_return co_await keeper.call<&Keeper::take_crowded_or_give_up>(key);
}

/// The first task asks for two keys and gets the second one; then the first one is the other task's.
Task<int> send_one_by_one(Runtime& runtime, Element<Keeper> keeper) {
  for (const int key : std::array<int, 2>{2, 1}) {
    co_await runtime.sleep_for(std::chrono::seconds(1));
    keeper.send<&Keeper::crowded>(Keyed<Crowded>{{key}, 10 + key});
  }
  co_return 0;
}

Task<> give_up_crowded(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  const auto [either, one, sent] =
      co_await all(ask_for_either(keepers[0], 1), ask(keepers[0], 1), send_one_by_one(runtime, keepers[0]));
  CHECK(either == 1);
  CHECK(one == 11);
  CHECK(sent == 0);
}

Task<> take_of_all_kinds(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  const Element<Keeper> keeper = keepers[0];
  const int sum = co_await keeper.call<&Keeper::take_of_all_kinds>();
  CHECK(sum == 4312);
}

Task<> take_oldest_numbers(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  const Element<Keeper> keeper = keepers[0];
  const std::vector<int> values = co_await keeper.call<&Keeper::take_oldest_numbers>();
  CHECK(values == std::vector{3, 1, 2});
}

using kaon::testing::run_everywhere;

TEST_CASE("tasks that ask for keys of one hash get their own", "[chares][inbox]") {
  run_everywhere(serve_crowded_waiters);
}
TEST_CASE("a task that gave up one of two keys leaves its message to others", "[chares][inbox]") {
  run_everywhere(give_up_crowded);
}
TEST_CASE("a key may be an index, a pair, a tuple or an array", "[chares][inbox]") {
  run_everywhere(take_of_all_kinds);
}
TEST_CASE("a key that is unlike itself keeps nothing from those who take the oldest", "[chares][inbox]") {
  run_everywhere(take_oldest_numbers);
}

}  // namespace kaon::testing::inbox_askers
