// SPDX-License-Identifier: Apache-2.0
// Whole arrays that are destroyed, whatever is under way to them.
#include "kaon/chares/lifecycle/destruction.hpp"

#include <malloc.h>

#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::destructions {

int alive = 0;
int taken = 0;
int failed = 0;  // waits that ended with a UsageError

class Leaf : public Chare<Leaf> {
 public:
  Leaf() { ++alive; }
  ~Leaf() { --alive; }

  void take(int) { ++taken; }
  void take_payload(Payload<int>) { ++taken; }
  int answer() const { return 1; }
  Task<int> answer_late() {
    co_await wake.next();
    co_return 1;
  }
  Task<> wait() {
    co_await wake.next();
    ++taken;
  }
  Task<> sleep() {
    co_await this_runtime().sleep_for(std::chrono::hours(1));
    ++taken;
  }
  Task<int> add_up() { co_return co_await contribute(sum, 1); }
  void flood(Proxy<Leaf> other, int count) {
    for (int i = 0; i < count; ++i) {
      const Index to((index().x + i) % other.shape().x);
      try {
        other[to].send<&Leaf::take>(i);
        other[to].send<&Leaf::take_payload>(Payload<int>(std::vector<int>(5000)));
      } catch (const UsageError&) {  // it is gone here
        ++failed;
      }
    }
  }
  /// Walks from PE to PE for as long as it lives.
  void roam(int steps) {
    if (steps == 0) return;
    migrate_to((pe() + 1) % this_runtime().pes());
    self().send<&Leaf::roam>(steps - 1);
  }
  void end_all() { array().destroy(); }
  Task<> end_all_and_wait() {
    co_await array().destroy_and_wait();
    ++taken;  // not reached: it is one of them
  }

  Inbox<int> wake;

  template <class Archive>
  void pup(Archive& archive) {
    archive(wake);
  }
};

/// Waits for results of an array that goes.
class Asker : public Chare<Asker> {
 public:
  Task<> call(Element<Leaf> leaf) {
    try {
      co_await leaf.call<&Leaf::answer_late>();
    } catch (const UsageError&) {
      ++failed;
    }
  }
  Task<> call_all(Proxy<Leaf> leaves) {
    try {
      co_await leaves.call_all<&Leaf::answer_late>(sum);
    } catch (const UsageError&) {
      ++failed;
    }
  }
  Task<> destroy(Proxy<Leaf> leaves) {
    try {
      co_await leaves.destroy_and_wait();
      ++taken;
    } catch (const UsageError&) {  // somebody was faster
      ++failed;
    }
  }
  Task<> contribute_for(Group<Leaf> leaves) {
    try {
      co_await leaves.local().contribute(sum, 1);
    } catch (const UsageError&) {
      ++failed;
    }
  }
};

void reset() { alive = taken = failed = 0; }

template <class Use>
bool is_refused(Use use) {
  return has(thrown<UsageError>(use), "was destroyed");
}

Task<> destroy_one_of_two(Runtime& runtime) {
  const auto gone = co_await runtime.create<Leaf>(10);
  const auto other = co_await runtime.create<Leaf>(5);
  gone.broadcast<&Leaf::take>(1);
  co_await runtime.quiescence();
  CHECK(taken == 10);
  co_await gone.destroy_and_wait();
  CHECK(alive == 5);
  CHECK(is_refused([&] { gone[0].send<&Leaf::take>(1); }));
  CHECK(is_refused([&] { static_cast<void>(gone[0].call<&Leaf::answer>()); }));
  CHECK(is_refused([&] { static_cast<void>(gone[0].ready()); }));
  CHECK(is_refused([&] { static_cast<void>(gone[0].index()); }));
  CHECK(is_refused([&] { gone.broadcast<&Leaf::take>(1); }));
  CHECK(is_refused([&] { static_cast<void>(gone.call_all<&Leaf::answer>(sum)); }));
  CHECK(is_refused([&] { gone.destroy(); }));
  CHECK(is_refused([&] { static_cast<void>(gone.destroy_and_wait()); }));
  CHECK_AWAITED(other.call_all<&Leaf::answer>(sum), 5);
  other.destroy();
  co_await runtime.quiescence();
  CHECK(alive == 0);
}

Task<> destroy_what_waits(Runtime& runtime) {
  const auto leaves = co_await runtime.create<Leaf>(6);
  const auto askers = co_await runtime.create<Asker>(4);
  leaves.broadcast<&Leaf::wait>();
  leaves[5].send<&Leaf::sleep>();
  for (int i = 0; i < 3; ++i) leaves[i].send<&Leaf::add_up>();
  for (int i = 0; i < 3; ++i) askers[i].send<&Asker::call>(leaves[i + 1]);
  askers[3].send<&Asker::call_all>(leaves);
  while (alive > 0) {  // whatever has come by then
    leaves[0].send<&Leaf::end_all>();
    co_await runtime.quiescence();
  }
  CHECK(failed == 4);
  CHECK(taken == 0);
}

Task<> destroy_while_sent_to(Runtime& runtime) {
  const auto leaves = co_await runtime.create<Leaf>(8);
  const auto others = co_await runtime.create<Leaf>(8);
  others.broadcast<&Leaf::flood>(leaves, 5);
  leaves.broadcast<&Leaf::flood>(leaves, 5);
  leaves.broadcast<&Leaf::take>(1);
  leaves[3].send<&Leaf::end_all>();
  co_await runtime.quiescence();
  CHECK(alive == 8);
  CHECK_AWAITED(others.call_all<&Leaf::answer>(sum), 8);
}

Task<> destroy_while_moving(Runtime& runtime) {
  for (int wait = 0; wait < 12; ++wait) {
    const auto leaves = co_await runtime.create<Leaf>(7);
    const auto other = co_await runtime.create<Leaf>(1);
    leaves.broadcast<&Leaf::roam>(1000);
    for (int i = 0; i < wait; ++i) co_await other[0].call<&Leaf::answer>();
    co_await leaves.destroy_and_wait();
    co_await other.destroy_and_wait();
    co_await runtime.quiescence();
    CHECK(alive == 0);
  }
}

/// So many that the end of a PE's part takes several turns, in which others arrive.
Task<> destroy_many_while_moving(Runtime& runtime) {
  const auto leaves = co_await runtime.create<Leaf>(3000);
  leaves.broadcast<&Leaf::roam>(1000);
  co_await leaves[2999].call<&Leaf::answer>();
  co_await leaves.destroy_and_wait();
  co_await runtime.quiescence();
  CHECK(alive == 0);
}

Task<> destroy_from_within(Runtime& runtime) {
  const auto leaves = co_await runtime.create<Leaf>(5);
  leaves[2].send<&Leaf::end_all_and_wait>();
  co_await runtime.quiescence();
  CHECK(alive == 0);
  CHECK(taken == 0);
}

Task<> destroy_twice_at_once(Runtime& runtime) {
  const auto leaves = co_await runtime.create<Leaf>(5);
  const auto askers = co_await runtime.create_group<Asker>();
  askers.broadcast<&Asker::destroy>(leaves);
  co_await runtime.quiescence();
  CHECK(alive == 0);
  CHECK(taken == 1);
  CHECK(taken + failed == static_cast<int>(runtime.pes()));
}

Task<> destroy_a_group(Runtime& runtime) {
  const auto leaves = co_await runtime.create_group<Leaf>();
  const auto askers = co_await runtime.create_group<Asker>();
  const int pes = static_cast<int>(runtime.pes());
  CHECK_AWAITED(leaves.call_all<&Leaf::answer>(sum), pes);
  for (int i = 1; i < pes; ++i) askers[i].send<&Asker::contribute_for>(leaves);  // not all do
  co_await runtime.quiescence();
  co_await leaves.destroy_and_wait();
  co_await runtime.quiescence();
  CHECK(failed == pes - 1);
  CHECK(alive == 0);
  CHECK(is_refused([&] { static_cast<void>(leaves.local()); }));
}

Task<> destroy_many(Runtime& runtime, int count) {
  for (int i = 0; i < count; ++i) {
    const auto leaves = co_await runtime.create<Leaf>(4);
    leaves.broadcast<&Leaf::take>(i);
    co_await leaves.destroy_and_wait();
  }
}

std::size_t bytes_in_use() { return mallinfo2().uordblks; }

Task<> make_and_destroy_many(Runtime& runtime) {
  constexpr int kWarmUp = 500;
  constexpr int kArrays = 10'000;
  constexpr std::size_t kMostBytes = 16 << 10;
  co_await destroy_many(runtime, kWarmUp);
  const std::size_t before = bytes_in_use();
  co_await destroy_many(runtime, kArrays);
  if (!kHasAddressSanitizer && !kHasThreadSanitizer) CHECK(bytes_in_use() < before + kMostBytes);
  CHECK(alive == 0);
}

}  // namespace kaon::testing::destructions

namespace td = kaon::testing::destructions;
using kaon::testing::run_everywhere;

TEST_CASE("a destroyed array is gone on all PEs, and its proxy is refused", "[chares][destruction]") {
  run_everywhere(td::destroy_one_of_two, td::reset);
}

TEST_CASE("entries, calls and contributions that wait end with their array", "[chares][destruction]") {
  run_everywhere(td::destroy_what_waits, td::reset);
}

TEST_CASE("what is under way to a destroyed array is dropped", "[chares][destruction]") {
  run_everywhere(td::destroy_while_sent_to, td::reset);
}

TEST_CASE("elements that move are caught when their array is destroyed", "[chares][destruction]") {
  run_everywhere(td::destroy_while_moving, td::reset);
}

TEST_CASE("elements that arrive while an array is being destroyed go with it", "[chares][destruction]") {
  run_everywhere(td::destroy_many_while_moving, td::reset);
}

TEST_CASE("an element may destroy its array", "[chares][destruction]") {
  run_everywhere(td::destroy_from_within, td::reset);
}

TEST_CASE("of several who destroy an array one is the first", "[chares][destruction]") {
  run_everywhere(td::destroy_twice_at_once, td::reset);
}

TEST_CASE("a group is destroyed like an array", "[chares][destruction]") {
  run_everywhere(td::destroy_a_group, td::reset);
}

TEST_CASE("arrays made and destroyed one after the other take no more memory", "[chares][destruction]") {
  td::reset();
  kaon::testing::Scene scene({2, 1});
  scene.run(td::make_and_destroy_many);
}

TEST_CASE("arrays are destroyed when every message is serialized, too", "[chares][destruction]") {
  for (const auto main_task : {td::destroy_one_of_two, td::destroy_what_waits, td::destroy_while_sent_to,
                               td::destroy_while_moving, td::destroy_twice_at_once, td::destroy_a_group}) {
    td::reset();
    kaon::testing::Scene scene({1, 2}, kaon::testing::with(&kaon::testing::Options::serialize_always, true));
    scene.run(main_task);
  }
}
