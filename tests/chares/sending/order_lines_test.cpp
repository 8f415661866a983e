// SPDX-License-Identifier: Apache-2.0
// Which messages are in one line, and whose line it is.
#include <cstdint>

#include "kaon/chares/sending/ordered_entry.hpp"
#include "tests/chares/counted_argument.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::order_lines {

constexpr int kWords = 20;

class Speaker : public Chare<Speaker> {
 public:
  Inbox<int> words;
  template <class Archive>
  void pup(Archive& archive) {
    archive(words, heard_);
  }
  void speak(Element<Speaker> to) {
    for (int i = 0; i < kWords; ++i) to.send<&Speaker::words>(i);
  }
  Task<> say_in_a_task(Element<Speaker> to, int word) {
    to.send<&Speaker::words>(word);
    co_return;
  }
  /// How many words have come that are as they should be.
  Task<int> listen() {
    int right = 0;
    for (int i = 0; i < kWords; ++i) right += co_await words.next() == i ? 1 : 0;
    co_return right;
  }
  void take(int, CountedArgument) { ++heard_; }
  int heard() const { return heard_; }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }

  using ordered = Entries<&Speaker::words, &Speaker::take>;

 private:
  int heard_ = 0;
};

Task<> check_speech(Element<Speaker> from, Element<Speaker> to) {
  from.send<&Speaker::speak>(to);
  const int right = co_await to.call<&Speaker::listen>();
  CHECK(right == kWords);
}

/// A speaker ends on another PE than it began on, and another one of its index is made on the first.
Task<> begin_anew_where_one_has_left(Runtime& runtime) {
  const auto speakers = co_await runtime.create_sparse<Speaker>();
  const PeId last = runtime.pes() - 1;
  co_await speakers[2].insert_on_and_wait(last / 2);
  for (int life = 0; life < 2; ++life) {
    co_await speakers[1].insert_on_and_wait(0);
    co_await check_speech(speakers[1], speakers[2]);
    co_await speakers[1].call<&Speaker::go>(last);
    co_await check_speech(speakers[1], speakers[2]);
    co_await speakers[1].call<&Speaker::end>();
    co_await runtime.quiescence();
  }
}

TEST_CASE("who is made where one of its index has been begins lines of its own", "[order]") {
  run_everywhere(begin_anew_where_one_has_left);
}

TEST_CASE("elements of several arrays speak to one in lines of their own", "[order]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto some = co_await runtime.create<Speaker>(3);
    const auto others = co_await runtime.create<Speaker>(3);
    for (int i = 0; i < 3; ++i) {
      co_await check_speech(some[i], some[0]);
      co_await check_speech(others[i], some[0]);
    }
  });
}

/// As a task, which sends some words and moves.
TEST_CASE("the line of who speaks in a task moves with the speaker", "[order]") {
  run_in_any_order({5, 1}, {1, 20}, [](Runtime& runtime) -> Task<> {
    const auto speakers = co_await runtime.create<Speaker>(2);
    for (int i = 0; i < kWords; ++i) {
      co_await speakers[0].call<&Speaker::say_in_a_task>(speakers[1], i);
      co_await speakers[0].call<&Speaker::go>(static_cast<PeId>(i) % runtime.pes());
    }
    const int right = co_await speakers[1].call<&Speaker::listen>();
    CHECK(right == kWords);
  });
}

TEST_CASE("ordered messages that have run are released, by bits or not", "[order]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto speakers = co_await runtime.create<Speaker>(2);
    for (int i = 0; i < 5; ++i) {
      speakers[1].send<&Speaker::take>(i, CountedArgument());
      speakers[1].with_priority(BitPriority()).send<&Speaker::take>(i, CountedArgument());
    }
    co_await runtime.quiescence();
    CHECK(CountedArgument::alive == 0);
    const int heard = co_await speakers[1].call<&Speaker::heard>();
    CHECK(heard == 10);
  });
}

/// Each in a batch of its own, the last delivered first; and the first never.
TEST_CASE("messages that wait for their turn when the run ends are released", "[order]") {
  {
    Scene scene({2, 1});
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.start([](Runtime& runtime) -> Task<> {
      const auto speakers = co_await runtime.create<Speaker>(2);
      co_await runtime.quiescence();
      for (int i = 0; i < 30; ++i) {
        speakers[1].send<&Speaker::take>(i, CountedArgument());
        runtime.flush();
      }
    });
    scene.network().run_until([&] { return scene.network().pe(1).waits().dependent() > 0; }, 100'000);
    CHECK(scene.network().pe(1).waits().dependent() > 0);
    CHECK(CountedArgument::alive > 0);
  }
  CHECK(CountedArgument::alive == 0);
}

/// Whose first element tells another PE of its array, which that may have yet to make.
class Herald : public Chare<Herald> {
 public:
  Herald() {
    if (index().x == 0) self().send<&Herald::begin>();  // what that sends is not in one batch with the array's creation
  }
  void begin() { callback<&Herald::announce>(this_runtime().pes() - 1)(array()); }
  /// Word after word to the first, from who is no element.
  static void announce(Proxy<Herald> heralds) {
    heralds[0].send<&Herald::hear>(announced++);
    if (announced < kWords) callback<&Herald::announce>(this_runtime().pe())(heralds);
  }
  void hear(int word) { right_ += word == heard_++ ? 1 : 0; }
  int right() const { return right_; }
  static inline int announced = 0;

  using ordered = Entries<&Herald::hear>;

 private:
  int heard_ = 0, right_ = 0;
};

Task<> announce_early(Runtime& runtime) {
  Herald::announced = 0;
  const auto heralds = co_await runtime.create<Herald>(static_cast<int>(runtime.pes()));
  co_await runtime.quiescence();
  const int right = co_await heralds[0].call<&Herald::right>();
  CHECK(right == kWords);
}

TEST_CASE("lines to arrays that a PE has yet to make go on when it has made them", "[order]") {
  run_in_any_order({4, 1}, {1, 60}, announce_early);
}

}  // namespace kaon::testing::order_lines
