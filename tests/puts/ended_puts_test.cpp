// SPDX-License-Identifier: Apache-2.0
// threads: kernels that start copies, and copies
// Lists of puts that end while streams, or the run, have work for them.
#include <optional>
#include <utility>
#include <vector>

#include "tests/puts/put_scene.hpp"
#include "tests/puts/puts.kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace puts {

/// Starts that a stream was given are done, though their list has ended.
Task<> end_behind_starts(Runtime&) {
  constexpr std::uint32_t kStarts = 12;
  List made;
  const gpu::Flag flag(made.stream), go(made.stream);
  std::vector<gpu::Put> list = made.puts(1);
  list[0].flags = made.table.add("done", flag);
  made.options.ring = 2;
  {
    const gpu::PreparedPuts prepared(made.table, list, made.stream, made.options);
    made.stream.wait(go, 1);
    for (std::uint32_t value = 1; value <= kStarts; ++value) prepared.start(made.stream, value);
  }
  go.raise();
  co_await flag.reached(kStarts);
  co_await made.stream.drained();
  CHECK(flag.value() == kStarts);
}

/// The flag of a list that has ended belongs to another one, whose values are greater.
Task<> hand_flag_on(Runtime&) {
  List made;
  const gpu::Flag flag(made.stream);
  std::vector<gpu::Put> list = made.puts(1);
  list[0].flags = made.table.add("done", flag);
  for (std::uint32_t value = 1; value <= 5; ++value) {
    const gpu::PreparedPuts prepared(made.table, list, made.stream, made.options);
    prepared.start(made.stream, value);
    co_await made.stream.drained();
    CHECK(flag.value() <= value);
  }
  co_await flag.reached(5);
  CHECK(flag.value() == 5);
}

/// The run ends while its ring is full.
Task<> leave_starts(Runtime&) {
  List made;
  made.options.ring = 2;
  const gpu::PreparedPuts prepared(made.table, made.puts(8), made.stream, made.options);
  for (std::uint32_t value = 1; value <= 10; ++value) prepared.start(made.stream, value);
  co_return;
}

}  // namespace puts

TEST_CASE("a list of puts ends behind the starts that streams were given", "[puts]") {
  run_by_each_starter(10, puts::end_behind_starts);
}

TEST_CASE("a flag that another list takes over does not go back", "[puts]") {
  run_by_each_starter(20, puts::hand_flag_on);
}

TEST_CASE("a run ends while streams have puts to start", "[puts]") { run_by_each_starter(10, puts::leave_starts); }

TEST_CASE("a list that the host serves is looked at, and nobody waits for it", "[puts]") {
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.network().on(0, [](Pe&) {
    List made;
    made.options.started_by = gpu::PutsStartedBy::host;
    const gpu::PreparedPuts prepared(made.table, made.puts(1), made.stream, made.options);
    CHECK(gpu::this_device().watches().is_busy());
    CHECK_FALSE(gpu::this_device().watches().is_awaited());
  });
}

TEST_CASE("a list of puts that another takes the place of ends", "[puts]") {
  for (const gpu::PutsStartedBy starter : kStarters) {
    DeviceScene scene(settings_of({1, 1}, 1));
    scene.network().on(0, [starter](Pe&) {
      List made;
      made.options.started_by = starter;
      const std::vector<gpu::Put> both = made.puts(2);
      gpu::PreparedPuts one(made.table, std::vector{both[0]}, made.stream, made.options);
      gpu::PreparedPuts other(made.table, std::vector{both[1]}, made.stream, made.options);
      one = std::move(other);
      CHECK(has(thrown<UsageError>([&] { (void)other.ring(); }), "moved to another object"));  // NOLINT: on purpose
      CHECK(made.refusal({both[0]}).empty());
      CHECK(has(made.refusal({both[1]}), "which another list of this PE raises"));
    });
  }
}

}  // namespace kaon::testing
