// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/entries/inbox.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::inboxes {

struct Item {
  int key = 0;
  int order = 0;
  std::vector<int> more;
};
struct Named {
  std::string name;
  int value = 0;
};

class Keeper : public Chare<Keeper> {
 public:
  Inbox<Item, &Item::key> items;
  Inbox<Named, &Named::name> named;
  Inbox<int> numbers;

  /// Sends to itself what it is to find: an element's own messages keep their order.
  void fill(int keys, int each) {
    for (int order = 0; order < each; ++order)
      for (int key = keys - 1; key >= 0; --key)
        self().send<&Keeper::items>(Item{key, order, std::vector<int>(static_cast<std::size_t>(key), order)});
  }
  /// Takes them by rising keys, while they come by falling ones.
  Task<bool> take_by_key(int keys, int each) {
    bool is_right = true;
    for (int key = 0; key < keys; ++key)
      for (int order = 0; order < each; ++order) {
        const Item item = co_await items.when(key);
        is_right = is_right && item.key == key && item.order == order &&
                   item.more == std::vector<int>(static_cast<std::size_t>(key), order);
      }
    co_return is_right&& items.size() == 0;
  }
  Task<std::vector<int>> take_in_order(int count) {
    std::vector<int> taken;
    for (int i = 0; i < count; ++i) {
      const Item item = co_await items.next();
      taken.push_back(item.order * 1000 + item.key);
    }
    co_return taken;
  }
  Task<int> take_named(std::string name) {
    const Named found = co_await named.when(std::move(name));
    co_return found.value;
  }
  Task<int> take_numbers(int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += co_await numbers.next();
    co_return sum;
  }
  std::size_t kept() const { return items.size(); }
  void feed(Element<Keeper> to, int from, int count) {
    for (int i = 0; i < count; ++i) to.send<&Keeper::items>(from + i, i, std::vector<int>());
  }
  /// Gives up waiting for one key when another comes.
  Task<int> take_either(int one, int other) {
    const auto first = co_await any(items.when(one), items.when(other));
    co_return std::visit([](const Item& item) { return item.key; }, first);
  }
  Task<int> take_one(int key) {
    const Item item = co_await items.when(key);
    co_return item.order;
  }
  /// Two that ask side by side, before there is anything.
  Task<std::vector<int>> take_two(int key) {
    for (int order = 0; order < 2; ++order) self().send<&Keeper::items>(key, order, std::vector<int>());
    const auto [one, two] = co_await all(take_one(key), take_one(key));
    co_return std::vector<int>{one, two};
  }
  Task<int> take_any() {
    const Item item = co_await items.next();
    co_return item.order;
  }
  /// The same, when one asks for a key and the other for any.
  Task<std::vector<int>> take_keyed_and_any(int key, bool keyed_first) {
    for (int order = 0; order < 2; ++order) self().send<&Keeper::items>(key, order, std::vector<int>());
    if (keyed_first) {
      const auto [keyed, any] = co_await all(take_one(key), take_any());
      co_return std::vector<int>{keyed, any};
    }
    const auto [any, keyed] = co_await all(take_any(), take_one(key));
    co_return std::vector<int>{any, keyed};
  }
};

Task<> take_interleaved(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(3);
  for (int i = 0; i < 3; ++i) keepers[i].send<&Keeper::fill>(10, 5);
  for (int i = 0; i < 3; ++i) {
    const bool is_right = co_await keepers[i].call<&Keeper::take_by_key>(10, 5);
    CHECK(is_right);
  }
}

Task<> take_while_they_come(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  for (int round = 0; round < 3; ++round) {
    const auto [is_right, filled] =
        co_await all(keepers[1].call<&Keeper::take_by_key>(8, 4), keepers[1].call<&Keeper::fill>(8, 4));
    (void)filled;
    CHECK(is_right);
  }
}

Task<> take_oldest_first(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  keepers[1].send<&Keeper::fill>(3, 3);
  co_await runtime.quiescence();
  const std::vector<int> taken = co_await keepers[1].call<&Keeper::take_in_order>(9);
  CHECK(taken == std::vector<int>{2, 1, 0, 1002, 1001, 1000, 2002, 2001, 2000});
}

Task<> mix_next_and_when(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  keepers[1].send<&Keeper::fill>(3, 3);
  co_await runtime.quiescence();
  const int first_of_1 = co_await keepers[1].call<&Keeper::take_one>(1);
  const std::vector<int> taken = co_await keepers[1].call<&Keeper::take_in_order>(4);
  const int next_of_1 = co_await keepers[1].call<&Keeper::take_one>(1);
  CHECK(first_of_1 == 0);
  CHECK(taken == std::vector<int>{2, 0, 1002, 1001});
  CHECK(next_of_1 == 2);
}

Task<> take_named_and_numbers(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  auto numbers = keepers[0].call<&Keeper::take_numbers>(4);
  for (const int number : {1, 10, 100}) keepers[0].send<&Keeper::numbers>(number);
  keepers[1].send<&Keeper::named>("b", 2);
  keepers[1].send<&Keeper::named>(Named{"a", 1});
  const int a = co_await keepers[1].call<&Keeper::take_named>("a");
  const int b = co_await keepers[1].call<&Keeper::take_named>("b");
  keepers[0].send<&Keeper::numbers>(1000);
  const int sum_of_numbers = co_await numbers;
  CHECK(a == 1);
  CHECK(b == 2);
  CHECK(sum_of_numbers == 1111);
}

Task<> broadcast_to_inboxes(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(9);
  keepers.broadcast<&Keeper::items>(4, 7, std::vector<int>());
  keepers.broadcast<&Keeper::items>(5, 8, std::vector<int>());
  for (int i = 0; i < 9; ++i) {
    const int five = co_await keepers[i].call<&Keeper::take_one>(5);
    const int four = co_await keepers[i].call<&Keeper::take_one>(4);
    CHECK(five == 8);
    CHECK(four == 7);
  }
}

constexpr int kFlood = 20'000;

/// Newer keys come in thousands while the oldest is awaited and comes last.
Task<> flood_with_newer(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(static_cast<int>(runtime.pes()));
  const auto last = keepers[static_cast<int>(runtime.pes()) - 1];
  keepers[0].send<&Keeper::feed>(last, 1, kFlood);
  co_await runtime.quiescence();
  const std::size_t kept = co_await last.call<&Keeper::kept>();
  CHECK(kept == kFlood);
  last.send<&Keeper::take_one>(0);
  co_await runtime.quiescence();
  keepers[0].send<&Keeper::feed>(last, kFlood + 1, 100);
  last.send<&Keeper::items>(Item{0, 0, {}});
  co_await runtime.quiescence();
  const std::size_t left = co_await last.call<&Keeper::kept>();
  CHECK(left == kFlood + 100);
  for (const int key : {kFlood, 1, kFlood / 2}) {
    const int order = co_await last.call<&Keeper::take_one>(key);
    CHECK(order == key - 1);
  }
}

Task<> give_up_waiting(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  keepers[0].send<&Keeper::take_either>(1, 2);
  co_await runtime.quiescence();
  keepers[0].send<&Keeper::items>(2, 20, std::vector<int>());
  co_await runtime.quiescence();
  keepers[0].send<&Keeper::items>(1, 10, std::vector<int>());  // must not find the awaiter that was given up
  co_await runtime.quiescence();
  const std::size_t kept = co_await keepers[0].call<&Keeper::kept>();
  CHECK(kept == 1);
  const int order = co_await keepers[0].call<&Keeper::take_one>(1);
  CHECK(order == 10);
}

Task<> leave_what_comes_second(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  for (const int key : {1, 2}) keepers[0].send<&Keeper::items>(key, 10 * key, std::vector<int>());
  co_await runtime.quiescence();
  const int first = co_await keepers[0].call<&Keeper::take_either>(2, 1);
  CHECK(first == 2);
  const std::size_t kept = co_await keepers[0].call<&Keeper::kept>();
  CHECK(kept == 1);
}

Task<> share_among_waiters(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(1);
  const auto [one, other, filled] =
      co_await all(keepers[0].call<&Keeper::take_one>(0), keepers[0].call<&Keeper::take_one>(0),
                   keepers[0].call<&Keeper::fill>(1, 2));
  (void)filled;
  CHECK(one + other == 1);
  const std::size_t kept = co_await keepers[0].call<&Keeper::kept>();
  CHECK(kept == 0);
}

Task<> serve_in_order(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  const std::vector<int> taken = co_await keepers[1].call<&Keeper::take_two>(3);
  CHECK(taken == std::vector<int>{0, 1});
  for (const bool keyed_first : {true, false}) {
    const std::vector<int> mixed = co_await keepers[1].call<&Keeper::take_keyed_and_any>(3, keyed_first);
    CHECK(mixed == std::vector<int>{0, 1});
  }
}

Task<> leave_full(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(4);
  keepers.broadcast<&Keeper::items>(Item{1, 2, std::vector<int>(1000)});
  for (int i = 0; i < 4; ++i) keepers[i].send<&Keeper::take_by_key>(5, 5);
  keepers.broadcast<&Keeper::named>("x", 1);
  co_await runtime.quiescence();
}

TEST_CASE("an inbox gives the messages of a key in order, whatever comes between", "[chares][inbox]") {
  run_everywhere(take_interleaved);
}
TEST_CASE("messages are taken while they come", "[chares][inbox]") { run_everywhere(take_while_they_come); }
TEST_CASE("next gives the oldest of all keys", "[chares][inbox]") { run_everywhere(take_oldest_first); }
TEST_CASE("next and when take from one store", "[chares][inbox]") { run_everywhere(mix_next_and_when); }
TEST_CASE("a key may be a string, and an inbox may have none", "[chares][inbox]") {
  run_everywhere(take_named_and_numbers);
}
TEST_CASE("a broadcast fills the inbox of every element", "[chares][inbox]") { run_everywhere(broadcast_to_inboxes); }
TEST_CASE("a flood of newer keys does not keep the older one from its task", "[chares][inbox]") {
  run_everywhere(flood_with_newer);
}
TEST_CASE("a task that gave up waiting takes no message", "[chares][inbox]") { run_everywhere(give_up_waiting); }
TEST_CASE("of two messages that are there any takes one", "[chares][inbox]") {
  run_everywhere(leave_what_comes_second);
}
TEST_CASE("a message goes to one task", "[chares][inbox]") { run_everywhere(share_among_waiters); }
TEST_CASE("who asks first is served first", "[chares][inbox]") { run_everywhere(serve_in_order); }
TEST_CASE("a run may end with full inboxes and waiting tasks", "[chares][inbox]") { run_everywhere(leave_full); }

}  // namespace kaon::testing::inboxes
