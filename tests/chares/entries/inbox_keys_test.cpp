// SPDX-License-Identifier: Apache-2.0
// Keys of which several share a hash: each is found all the same, and gives its messages in order.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/entries/inbox.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::inbox_keys {

/// A digit. The odd ones share a hash, and the even ones.
struct Place {
  char number = '0';
  bool operator==(const Place&) const = default;
  friend std::uint64_t hash_value(const Place& place) { return static_cast<std::uint64_t>(place.number % 2); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(number);
  }
};
struct Item {
  Place at;
  int order = 0;
};

class Keeper : public Chare<Keeper> {
 public:
  Inbox<Item, &Item::at> items;

  /// Sends to itself what it is to find: messages at these places, numbered from `order`.
  void fill(std::string places, int order) {
    for (const char place : places) self().send<&Keeper::items>(Item{Place{place}, order++});
  }
  /// The numbers of the oldest at each of these places, one after the other; -1 for one of another place.
  Task<std::vector<int>> take(std::string places) {
    std::vector<int> orders;
    for (const char place : places) {
      const Item item = co_await items.when(Place{place});
      orders.push_back(item.at == Place{place} ? item.order : -1);
    }
    co_return orders;
  }
  Task<std::vector<int>> take_oldest(int count) {
    std::vector<int> orders;
    for (int i = 0; i < count; ++i) {
      const Item item = co_await items.next();
      orders.push_back(item.order);
    }
    co_return orders;
  }
  std::size_t kept() const { return items.size(); }
};

Task<> fill(Runtime& runtime, Element<Keeper> keeper, std::string places, int first) {
  keeper.send<&Keeper::fill>(std::move(places), first);
  co_await runtime.quiescence();
}

/// Where messages lie at `filled`, numbered from 0: those that who asks at `asked` is to find.
std::vector<int> oldest_at(const std::string& filled, const std::string& asked) {
  std::map<char, std::vector<int>> by_place;  // the oldest last
  for (std::size_t i = filled.size(); i-- > 0;) by_place[filled[i]].push_back(static_cast<int>(i));
  std::vector<int> orders;
  for (const char place : asked) {
    orders.push_back(by_place[place].back());
    by_place[place].pop_back();
  }
  return orders;
}

/// In every order in which they can be asked for, out of one inbox, which is empty in between.
Task<> take_in_all_orders(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  const std::string places = "1351235";
  std::string asked = places;
  std::sort(asked.begin(), asked.end());
  do {
    co_await fill(runtime, keepers[0], places, 0);
    const auto taken = co_await keepers[0].call<&Keeper::take>(asked);
    CHECK(taken == oldest_at(places, asked));
  } while (std::next_permutation(asked.begin(), asked.end()));
  const std::size_t kept = co_await keepers[0].call<&Keeper::kept>();
  CHECK(kept == 0);
}

Task<> fill_again(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  co_await fill(runtime, keepers[0], "1315", 0);
  const auto first = co_await keepers[0].call<&Keeper::take>("13");
  CHECK(first == std::vector{0, 1});
  co_await fill(runtime, keepers[0], "1351", 10);
  const auto taken = co_await keepers[0].call<&Keeper::take>("513151");
  CHECK(taken == std::vector{3, 2, 11, 10, 12, 13});
}

Task<> take_next(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  co_await fill(runtime, keepers[0], "132153", 0);
  const auto one = co_await keepers[0].call<&Keeper::take>("3");
  CHECK(one == std::vector{1});
  const auto oldest = co_await keepers[0].call<&Keeper::take_oldest>(3);
  CHECK(oldest == std::vector{0, 2, 3});
  const auto rest = co_await keepers[0].call<&Keeper::take>("35");
  CHECK(rest == std::vector{5, 4});
}

}  // namespace kaon::testing::inbox_keys

namespace tk = kaon::testing::inbox_keys;
using namespace kaon::testing;

TEST_CASE("keys of one hash give each their own messages, in whatever order they are asked for", "[chares][inbox]") {
  Scene scene({1, 1});
  scene.run(tk::take_in_all_orders);
}
TEST_CASE("messages come to a key of which some were taken, beside others of its hash", "[chares][inbox]") {
  run_everywhere(tk::fill_again);
}
TEST_CASE("next gives the oldest of all keys of one hash", "[chares][inbox]") { run_everywhere(tk::take_next); }
