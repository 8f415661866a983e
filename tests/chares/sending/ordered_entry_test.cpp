// SPDX-License-Identifier: Apache-2.0
// Entries that keep the order of what one element sends to another.
#include "kaon/chares/sending/ordered_entry.hpp"

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::orders {

struct Note {
  int from;
  int number;
};

int wrong = 0, taken = 0;

/// Sends numbers to others, and sees whether theirs come in order.
class Clerk : public Chare<Clerk> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(next_of_, next_for_, said_, inbox);
  }

  /// Sends `count` notes to each of the others, some at a time, and moves now and then.
  void work(int count, std::uint64_t random, bool moves) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const int all = array().shape().x;
    next_for_.resize(static_cast<std::size_t>(all));
    for (int to = 0; to < all; ++to) {
      int& next = next_for_[static_cast<std::size_t>(to)];
      for (int i = 0; i < 3 && next < count; ++i) array()[to].send<&Clerk::take>(Note{index().x, next++});
    }
    if (moves && (random >> 33) % 3 == 0) migrate_to(static_cast<PeId>(random >> 40) % this_runtime().pes());
    if (next_for_[0] < count || next_for_.back() < count) self().send<&Clerk::work>(count, random, moves);
  }
  void take(Note note) {
    ++taken;
    next_of_.resize(static_cast<std::size_t>(array().shape().x));
    if (next_of_[static_cast<std::size_t>(note.from)]++ != note.number) ++wrong;
    if (note.number % 5 == 2) migrate_to((pe() + 1) % this_runtime().pes());
  }
  void say(std::string word) { said_ += word; }
  int say_and_count(std::string word) {
    said_ += word;
    return static_cast<int>(said_.size());
  }
  std::string said() const { return said_; }
  Inbox<int> inbox;
  Task<> send_slowly(Element<Clerk> to) {
    for (int i = 0; i < 10; ++i) {
      to.send<&Clerk::say>(std::string(1, static_cast<char>('a' + i)));
      if (i % 3 == 0) co_await this_runtime().sleep_for(std::chrono::microseconds(3));
    }
  }
  void send_to_inbox(Element<Clerk> to) {
    for (int i = 0; i < 20; ++i) to.send<&Clerk::inbox>(i);
  }
  Task<int> count_in_order(int count) {
    int right = 0;
    for (int i = 0; i < count; ++i) right += co_await inbox.next() == i ? 1 : 0;
    co_return right;
  }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }

  using ordered = Entries<&Clerk::take, &Clerk::say, &Clerk::say_and_count, &Clerk::inbox>;

 private:
  std::vector<int> next_of_, next_for_;
  std::string said_;
};

void reset() { wrong = taken = 0; }

constexpr int kClerks = 6, kNotes = 40;

Task<> work(Runtime& runtime, bool moves) {
  const auto clerks = co_await runtime.create<Clerk>(kClerks);
  for (int i = 0; i < kClerks; ++i) clerks[i].send<&Clerk::work>(kNotes, static_cast<std::uint64_t>(i), moves);
  co_await runtime.quiescence();
  CHECK(wrong == 0);
  CHECK(taken == kClerks * kClerks * kNotes);
}

/// Of messages that were early, when all have run.
void expect_none_waits(Scene& scene) {
  for (PeId pe : {0U, 1U}) CHECK(scene.network().pe(pe).waits().dependent() == 0);
}

TEST_CASE("messages of ordered entries run in the order in which each sender sent them, while both move", "[order]") {
  run_everywhere([](Runtime& runtime) { return work(runtime, true); }, &reset);
}

TEST_CASE("messages of ordered entries keep their order in any order of delivery", "[order]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    reset();
    Scene scene({2, seed % 2 == 0 ? 2 : 1}, default_options(), seed);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.network().wire().copy_at_once(seed % 3 == 0);
    scene.run([](Runtime& runtime) { return work(runtime, true); });
    expect_none_waits(scene);
  }
}

/// By one batch for each message, the last delivered first.
TEST_CASE("what comes too early waits for what was sent before it", "[order]") {
  Scene scene({2, 1});
  scene.network().set_order(LoopbackNetwork::Order::any);
  scene.run([](Runtime& runtime) -> Task<> {
    const auto clerks = co_await runtime.create<Clerk>(2);
    co_await runtime.quiescence();
    for (char letter = 'a'; letter <= 'p'; ++letter) {
      clerks[1].send<&Clerk::say>(std::string(1, letter));
      runtime.flush();
    }
    const int count = co_await clerks[1].call<&Clerk::say_and_count>("!");
    CHECK(count == 17);
    const std::string said = co_await clerks[1].call<&Clerk::said>();
    CHECK(said == "abcdefghijklmnop!");
  });
  expect_none_waits(scene);
}

TEST_CASE("a coroutine sends in order across its suspensions, and an inbox gets in order", "[order]") {
  run_in_any_order({2, 2}, {1, 10}, [](Runtime& runtime) -> Task<> {
    const auto clerks = co_await runtime.create<Clerk>(4);
    clerks[0].send<&Clerk::send_slowly>(clerks[3]);
    clerks[1].send<&Clerk::send_to_inbox>(clerks[2]);
    for (PeId to : {2u, 1u, 0u}) clerks[3].send<&Clerk::go>(to);
    clerks[2].send<&Clerk::go>(3u);
    co_await runtime.quiescence();
    const std::string said = co_await clerks[3].call<&Clerk::said>();
    CHECK(said == "abcdefghij");
    const int right = co_await clerks[2].call<&Clerk::count_in_order>(20);
    CHECK(right == 20);
  });
}

TEST_CASE("ordered messages to an element that ends are dropped as others are, also those that wait", "[order]") {
  run_in_any_order(
      {2, 1}, {1, 20},
      [](Runtime& runtime) -> Task<> {
        const auto clerks = co_await runtime.create<Clerk>(kClerks);
        for (int i = 0; i < kClerks; ++i) clerks[i].send<&Clerk::work>(kNotes, static_cast<std::uint64_t>(i), true);
        clerks[1].send<&Clerk::end>();
        clerks[4].send<&Clerk::end>();
        co_await runtime.quiescence();
        CHECK(wrong == 0);
      },
      reset);
}

Task<> go_on_in_another_life(Runtime& runtime) {
  const auto clerks = co_await runtime.create_sparse<Clerk>();
  const PeId last = runtime.pes() - 1;
  for (int life = 0; life < 3; ++life) {
    co_await clerks[1].insert_on_and_wait(last);
    clerks[1].send<&Clerk::say>(std::string("a"));
    const int said = co_await clerks[1].call<&Clerk::say_and_count>(std::string("b"));
    CHECK(said == 2);
    co_await clerks[1].call<&Clerk::end>();
  }
}

TEST_CASE("who is inserted where one of its index ended goes on with what is sent to that in order", "[order]") {
  run_everywhere(go_on_in_another_life);
}

TEST_CASE("an array whose ordered messages wait may be destroyed", "[order]") {
  run_in_any_order(
      {2, 2}, {1, 20},
      [](Runtime& runtime) -> Task<> {
        const auto clerks = co_await runtime.create<Clerk>(kClerks);
        for (int i = 0; i < kClerks; ++i) clerks[i].send<&Clerk::work>(kNotes, static_cast<std::uint64_t>(i), true);
        co_await runtime.sleep_for(std::chrono::microseconds(15));
        co_await clerks.destroy_and_wait();
        co_await runtime.quiescence();
      },
      reset);
}

/// Both properties.
class Counter : public Chare<Counter> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(next_);
  }
  void count(int number) {
    ++taken;
    if (number != next_++) ++wrong;
    if (number % 50 == 49) migrate_to((pe() + 1) % this_runtime().pes());
  }
  void feed(Element<Counter> to, int count) {
    for (int i = 0; i < count; ++i) to.send<&Counter::count>(i);
  }
  using ordered = Entries<&Counter::count>;
  using aggregated = Entries<&Counter::count>;

 private:
  int next_ = 0;
};

TEST_CASE("messages that are aggregated keep their order where they shall", "[order]") {
  run_in_any_order(
      {2, 2}, {1, 10},
      [](Runtime& runtime) -> Task<> {
        const auto counters = co_await runtime.create<Counter>(4);
        for (int i = 0; i < 4; ++i) counters[i].send<&Counter::feed>(counters[3 - i], 300);
        co_await runtime.quiescence();
        CHECK(taken == 1200);
        CHECK(wrong == 0);
      },
      reset);
}

}  // namespace kaon::testing::orders
