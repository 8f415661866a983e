// SPDX-License-Identifier: Apache-2.0
// threads: kernels that start copies, and copies
// Puts that kernels start by themselves.
#include "kaon/gpu/puts/prepared_puts.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/puts/put_node.hpp"
#include "tests/puts/put_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace puts {

PutPlan plan;

Task<> exchange(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<PutNode>();
  const std::uint32_t wrong = co_await exchange_puts(nodes, 1, plan);
  CHECK(wrong == 0);
}

}  // namespace puts

namespace {

/// Two devices of one process, and two processes. ThreadSanitizer takes a flag in the mapping of another process for
/// another word, so that the sender would seem to write what a copy still reads.
std::vector<Network::Shape> shapes() {
#if KAON_SANITIZES_THREADS
  return {{1, 2}};
#else
  return {{1, 2}, {2, 1}};
#endif
}

/// With several seeds.
void exchange_once_by(const PutPlan& plan) {
  puts::plan = plan;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Network::Shape& shape : shapes()) {
      INFO("seed " << seed << ", " << shape.processes << " processes, started by " << number_of(plan.started_by));
      DriverNotes notes;
      {
        DeviceScene scene(settings_of(shape, seed, &notes));
        scene.run(puts::exchange);
      }
      CHECK(notes.prepared_copies == 0);
    }
}

/// By each engine, the kernels of both sides being the same.
void exchange_by(PutPlan plan) {
  for (const gpu::PutsStartedBy starter : kStarters) {
    plan.started_by = starter;
    exchange_once_by(plan);
  }
}

}  // namespace

TEST_CASE("a kernel starts puts, and a kernel of another device sees data behind flags", "[puts]") { exchange_by({}); }

TEST_CASE("several blocks start puts by a ring that is often full", "[puts]") {
  exchange_by({.puts = 9, .words = 3, .rounds = 40, .blocks = 3, .copies_of_each = 1, .ring = 2});
}

TEST_CASE("flags of puts go around the circle of 32 bits", "[puts]") {
  exchange_by({.puts = 2, .words = 5, .rounds = 12, .first = 0xffff'fffa});
}

TEST_CASE("a kernel starts copies itself, without an engine", "[puts]") {
  exchange_once_by({.puts = 3, .words = 7, .rounds = 20, .blocks = 0});
}

TEST_CASE("a kernel writes a source again as soon as it is told that the put was sent", "[puts]") {
  exchange_by({.puts = 5, .words = 40, .rounds = 30, .blocks = 2, .copies_of_each = 1, .tells_sent = true});
}

TEST_CASE("puts without data raise their flags", "[puts]") { exchange_by({.puts = 3, .words = 0, .rounds = 10}); }

namespace puts {

/// Without flags in a kernel: the host waits.
Task<> raise_host_flag(Runtime&) {
  List made;
  const gpu::Flag flag(made.stream);
  std::vector<gpu::Put> list = made.puts(1);
  list[0].flags = made.table.add("done", flag);
  made.stream.fill(made.out.span(), 7);
  made.stream.fill(made.refused.span(), 0);
  gpu::PreparedPuts prepared(made.table, list, made.stream, made.options);
  gpu::PreparedPuts moved(std::move(prepared));
  made.stream.launch({{1}, {1}}, StartPuts{moved.ring(), 0, 3, 5, made.refused.data()});
  co_await flag.reached(5);
  gpu::Pinned<std::uint32_t> seen(2, made.stream);
  made.stream.copy(seen, made.in.span().subspan(0, 2));
  co_await made.stream.drained();
  CHECK(seen[0] == 0x0707'0707);
  made.stream.copy(seen, gpu::Span<std::uint32_t>(made.refused.data(), 1));
  co_await made.stream.drained();
  CHECK(seen[0] == 2);  // puts 1 and 2 are not in the list
}

/// Its copies are under way together, unless one waits for the other.
Task<> start_again(Runtime&) {
  constexpr std::uint32_t kStarts = 20;
  List made;
  const gpu::Flag flag(made.stream);
  std::vector<gpu::Put> list = made.puts(1);
  list[0].flags = made.table.add("done", flag);
  const gpu::PreparedPuts prepared(made.table, list, made.stream, made.options);
  made.stream.launch({{1}, {1}}, StartAgain{prepared.ring(), kStarts});
  std::uint32_t value = 0;
  while (value < kStarts) {
    co_await flag.reached(value + 1);
    const std::uint32_t now = flag.value();
    CHECK(now > value);
    if (now <= value) co_return;
    value = now;
  }
  CHECK(value == kStarts);
}

/// The list ends, and so does the run, while the ring holds requests.
Task<> end_at_once(Runtime&) {
  List made;
  made.stream.fill(made.refused.span(), 0);
  const gpu::PreparedPuts prepared(made.table, made.puts(8), made.stream, made.options);
  made.stream.launch({{1}, {1}}, StartPuts{prepared.ring(), 0, 8, 1, made.refused.data()});
  co_await made.stream.drained();
}

/// Where streams stand when the buffer's memory is free for others.
gpu::Position landed_in(const gpu::Buffer<std::uint32_t>& buffer) {
  gpu::Device& device = gpu::this_device();
  const gpu::Region* const region = device.regions().find(buffer.data());
  return device.memory().pool().find_own(*region, buffer.data(), 4)->landed_at;
}

/// The list ends while its puts may be under way; its buffers end later.
Task<> end_before_buffers(Runtime&) {
  List made;
  {
    const gpu::PreparedPuts prepared(made.table, made.puts(1), made.stream, made.options);
    made.stream.launch({{1}, {1}}, StartAgain{prepared.ring(), 200});
    co_await made.stream.drained();
    CHECK(landed_in(made.flags).stream == nullptr);
  }
  for (const auto* buffer : {&made.out, &made.in, &made.flags}) {
    const gpu::Position landed = landed_in(*buffer);
    REQUIRE(landed.stream != nullptr);
    CHECK(landed.stream != made.stream.here().stream);  // the engine's
  }
  CHECK(landed_in(made.refused).stream == nullptr);
}

}  // namespace puts

TEST_CASE("a task waits for the flag of a put that a kernel has started", "[puts]") {
  run_by_each_starter(6, puts::raise_host_flag);
}

TEST_CASE("the flag of a put that is started again and again never goes back", "[puts]") {
  run_by_each_starter(20, puts::start_again);
}

namespace puts {

DriverNotes notes;

/// Eleven neighbours, and one whose target alone is a neighbour's.
struct Neighbours : List {
  gpu::Flag is_posted{stream};
  gpu::Pinned<std::uint32_t> words{16, stream}, seen{16, stream};

  std::vector<gpu::Put> puts() const {
    std::vector<gpu::Put> list = List::puts(12);
    list[11].from_offset = 60;
    return list;
  }
  Task<> begin() {
    for (std::uint32_t i = 0; i < 16; ++i) words[i] = 100 + i;
    stream.copy(out.span(), words);
    for (const auto* buffer : {&in, &flags, &refused}) stream.fill(buffer->span(), 0);
    co_await stream.drained();
  }
  /// The PE does not turn to its network before all is posted.
  void post_all(const gpu::PreparedPuts& prepared) {
    stream.launch({{1}, {1}}, StartPuts{prepared.ring(), 0, 12, 5, refused.data()});
    stream.raise(is_posted);
    while (is_posted.value() == 0) gpu::this_device().driver().advance();
  }
  Task<> wait_for_all() {
    do {
      stream.copy(seen, flags.span());
      co_await stream.drained();
    } while (std::count(seen.span().begin(), seen.span().begin() + 12, 5u) < 12);
    stream.copy(seen, in.span());
    co_await stream.drained();
  }
};

Task<> merge(Runtime&) {
  Neighbours made;
  co_await made.begin();
  const std::size_t before = notes.copies;
  made.post_all(gpu::PreparedPuts(made.table, made.puts(), made.stream, {.started_by = gpu::PutsStartedBy::host}));
  CHECK(notes.copies - before == 2);
  co_await made.wait_for_all();
  for (std::uint32_t i = 0; i < 11; ++i) CHECK(made.seen[i] == 100 + i);
  CHECK(made.seen[11] == 115);
}

}  // namespace puts

TEST_CASE("neighbours in memory that the host starts together are one copy", "[puts]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) DeviceScene(settings_of({1, 1}, seed, &puts::notes)).run(puts::merge);
}

TEST_CASE("a run ends while puts are under way, and leaves no copy", "[puts]") {
  run_by_each_starter(20, puts::end_at_once);
}

TEST_CASE("memory of puts is free behind the end of their list", "[puts]") {
  run_by_each_starter(20, puts::end_before_buffers);
}

}  // namespace kaon::testing
