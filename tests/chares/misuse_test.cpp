// SPDX-License-Identifier: Apache-2.0
// threads: one that is no PE
// Small misuses that are told instead of crashing or being lost.
#include <string>
#include <thread>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::misuses {

int alive = 0;

class Leaver : public Chare<Leaver> {
 public:
  Leaver() { ++alive; }
  ~Leaver() { --alive; }
  void move_and_end(PeId to) {
    migrate_to(to);
    destroy();
  }
  void end_and_move(PeId to) {
    destroy();
    migrate_to(to);
  }

  void end() { destroy(); }

  template <class Archive>
  void pup(Archive&) {}
};

Task<> leave_in_both_ways(Runtime& runtime) {
  const auto leavers = co_await runtime.create<Leaver>(4);
  const PeId to = runtime.pes() - 1;
  leavers[0].send<&Leaver::move_and_end>(to);
  leavers[1].send<&Leaver::end_and_move>(to);
  co_await runtime.quiescence();
  CHECK(alive == 2);
}

std::string text_of_local;
Task<> ask_for_a_deleted_member(Runtime& runtime) {
  const auto group = co_await runtime.create_group<Leaver>();
  group.broadcast<&Leaver::end>();
  co_await runtime.quiescence();
  text_of_local = thrown<UsageError>([&] { group.local(); });
}

Task<int> one() { co_return 1; }

Task<> await_twice(Runtime&) {
  const Task<int> once = one();
  const int result = co_await once;
  CHECK(result == 1);
  std::string text;
  try {
    co_await once;
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(has(text, "a second time"));
}

/// Not inlined: clang makes no frame for a task that it sees to be dropped.
[[gnu::noinline]] Task<int> one_from_elsewhere() { return one(); }

template <class Action>
std::string thrown_elsewhere(Action action) {
  std::string text;
  std::thread([&] { text = thrown<UsageError>(action); }).join();
  return text;
}

TEST_CASE("a chare that is told to move and to end is deleted", "[chares][misuse]") {
  run_everywhere(leave_in_both_ways, [] { alive = 0; });
}

TEST_CASE("a member of a group that was deleted is not given out", "[chares][misuse]") {
  run_everywhere(ask_for_a_deleted_member, [] { text_of_local.clear(); });
  CHECK(has(text_of_local, "was deleted"));
}

TEST_CASE("a task that is awaited twice says so", "[chares][misuse]") { run_everywhere(await_twice); }

TEST_CASE("payloads and tasks on a thread that is no PE say so", "[chares][misuse]") {
  CHECK(has(thrown_elsewhere([] { Payload<int> payload(std::vector<int>(10)); }), "a thread that is no PE"));
  CHECK(has(thrown_elsewhere([] { auto task = one_from_elsewhere(); }), "a thread that is no PE"));
}

}  // namespace kaon::testing::misuses
