// SPDX-License-Identifier: Apache-2.0
// Node groups: one chare for each process, which all its PEs reach.
#include <atomic>
#include <string>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::node_groups {

class Cache : public Chare<Cache> {
 public:
  explicit Cache(int start = 0) : hits_(start) {}
  void hit() { ++hits_; }  // also by other PEs: an atomic
  int hits() const { return hits_; }
  int place() const { return index().x; }
  PeId home() const { return pe(); }
  Task<int> all_hits() { co_return co_await contribute(sum, hits_.load()); }
  void leave() { migrate_to(0); }
  void end() { destroy(); }

  template <class Archive>
  void pup(Archive&) {}

 private:
  std::atomic<int> hits_;
};

class User : public Chare<User> {
 public:
  void use(const NodeGroup<Cache>& caches) { caches.local().hit(); }
  int process_of_cache(const NodeGroup<Cache>& caches) { return caches.local().place(); }
  bool is_of_this_process(const NodeGroup<Cache>& caches) { return caches.local().place() == this_runtime().process(); }
};

Task<> reach_it_from_every_pe(Runtime& runtime) {
  const auto caches = co_await runtime.create_node_group<Cache>(10);
  const auto users = co_await runtime.create_group<User>();
  for (int round = 0; round < 3; ++round) users.broadcast<&User::use>(caches);
  co_await runtime.quiescence();
  const int processes = runtime.processes(), pes = static_cast<int>(runtime.pes());
  CHECK_AWAITED(caches.call_all<&Cache::hits>(sum), 10 * processes + 3 * pes);
  CHECK_AWAITED(users.call_all<&User::is_of_this_process>(logical_and, caches), true);
  CHECK_AWAITED(caches.call_all<&Cache::all_hits>(min), 10 * processes + 3 * pes);
  CHECK(caches.shape() == Shape(processes));
  for (int process = 0; process < processes; ++process) {
    CHECK_AWAITED(caches[process].call<&Cache::place>(), process);
    CHECK_AWAITED(caches[process].call<&Cache::home>(), static_cast<PeId>(process * pes / processes));
  }
}

Task<> reduce_and_select(Runtime& runtime) {
  const auto caches = co_await runtime.create_node_group<Cache>(1);
  std::vector<Index> members{runtime.processes() - 1};
  const auto last = co_await caches.section(members);
  last.broadcast<&Cache::hit>();
  co_await runtime.quiescence();
  CHECK_AWAITED(caches.call_all<&Cache::hits>(sum), runtime.processes() + 1);
  co_await caches.destroy_and_wait();
  const auto others = co_await runtime.create_node_group<Cache>(2);
  CHECK(others.local().hits() == 2);
}

/// Whose arrays are on the last PE.
class Placed : public Chare<Placed> {
 public:
  static PeId place(const Index&, PeId pes) { return pes - 1; }
  PeId home() const { return pe(); }
};

template <auto E>
Task<std::string> said_of(Element<Cache> cache) {
  try {
    co_await cache.call<E>();
  } catch (const UsageError& error) {
    co_return error.what();
  }
  co_return "";
}

Task<> refuse_to_go(Runtime& runtime) {
  const auto caches = co_await runtime.create_node_group<Cache>();
  const std::string of_move = co_await said_of<&Cache::leave>(caches[0]);
  const std::string of_end = co_await said_of<&Cache::end>(caches[0]);
  CHECK(has(of_move, "cannot move"));
  CHECK(has(of_end, "ends all"));
}

/// Nor where the class would place the elements of an array.
Task<> stay_on_their_pe(Runtime& runtime) {
  const auto caches = co_await runtime.create_group<Cache>();
  for (PeId pe = 0; pe < runtime.pes(); ++pe) {
    const std::string of_move = co_await said_of<&Cache::leave>(caches[static_cast<int>(pe)]);
    CHECK(has(of_move, "chares of a group stay on their PE"));
    const PeId home = co_await caches[static_cast<int>(pe)].call<&Cache::home>();
    CHECK(home == pe);
  }
  const auto placed = co_await runtime.create_group<Placed>();
  CHECK(placed.local().home() == runtime.pe());
}

TEST_CASE("a node group has one chare for each process, which all its PEs reach", "[chares][node_group]") {
  run_everywhere(&reach_it_from_every_pe);
}
TEST_CASE("a node group has sections and an end", "[chares][node_group]") { run_everywhere(&reduce_and_select); }
TEST_CASE("chares of a group stay on their PE", "[chares][group]") { run_everywhere(&stay_on_their_pe); }
TEST_CASE("chares of a node group neither move nor end by themselves", "[chares][node_group]") {
  run_everywhere(&refuse_to_go);
}

Task<> ask_for_a_map_that_is_none(Runtime& runtime) {
  static_cast<void>(co_await runtime.create_mapped<User>(4, static_cast<Map>(17)));
}
Task<> ask_for_too_many(Runtime& runtime) {
  static_cast<void>(co_await runtime.create_mapped<User>(7, Map::one_per_process));
}

TEST_CASE("a map that there is not is an error that says so", "[chares][node_group]") {
  Scene scene({2, 2}, default_options(), 1);
  CHECK(has(thrown<UsageError>([&] { scene.run(&ask_for_a_map_that_is_none); }), "there is no map 17"));
  Scene other({2, 2}, default_options(), 1);
  CHECK(has(thrown<UsageError>([&] { other.run(&ask_for_too_many); }), "create_node_group()"));
}

}  // namespace kaon::testing::node_groups
