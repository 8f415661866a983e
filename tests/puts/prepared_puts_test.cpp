// SPDX-License-Identifier: Apache-2.0
// threads: kernels that start copies, and copies
// Puts that kernels start by themselves.
#include "kaon/gpu/puts/prepared_puts.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/puts/put_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace puts {

PutPlan plan;
gpu::PutsStartedBy starter;  // of lists of puts

Task<> exchange(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<PutNode>();
  const std::uint32_t wrong = co_await exchange_puts(nodes, 1, plan);
  CHECK(wrong == 0);
}

}  // namespace puts

namespace {

int number_of(gpu::PutsStartedBy starter) { return static_cast<int>(starter); }

DeviceSceneSettings settings_of(Network::Shape shape, std::uint64_t seed, DriverNotes* notes = nullptr) {
  DeviceSceneSettings settings;
  settings.shape = shape;
  settings.devices = shape.pes_per_process;
  settings.seed = seed;
  settings.notes = notes;
  return settings;
}

/// Two devices of one process, and two processes. ThreadSanitizer takes a flag in the mapping of another process for
/// another word, so that the sender would seem to write what a copy still reads.
std::vector<Network::Shape> shapes() {
#if KAON_SANITIZES_THREADS
  return {{1, 2}};
#else
  return {{1, 2}, {2, 1}};
#endif
}

const gpu::PutsStartedBy kStarters[] = {gpu::PutsStartedBy::device, gpu::PutsStartedBy::host};

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

/// A list of puts of 4 bytes from one buffer to another one of the same device.
struct List {
  gpu::Stream stream;
  gpu::Buffer<std::uint32_t> out{16, stream}, in{16, stream}, flags{16, stream}, refused{1, stream};
  gpu::SegmentTable table;
  gpu::SegmentNumber from = table.add("out", out), to = table.add("in", in), words = table.add("flags", flags);
  gpu::PreparedPutsOptions options{.started_by = puts::starter};

  std::vector<gpu::Put> puts(std::uint16_t count) const {
    std::vector<gpu::Put> list;
    for (std::uint16_t i = 0; i < count; ++i) {
      const std::uint64_t offset = std::uint64_t{4} * i;
      list.push_back(
          {.from = from, .to = to, .flags = words, .flag = i, .bytes = 4, .from_offset = offset, .to_offset = offset});
    }
    return list;
  }
  template <class Error = UsageError>
  std::string refusal(const std::vector<gpu::Put>& list) {
    return thrown<Error>([&] { const gpu::PreparedPuts prepared(table, list, stream, options); });
  }
};

/// On one device, with several seeds.
void run_by_each_starter(std::uint64_t seeds, Task<> (*task)(Runtime&)) {
  for (const gpu::PutsStartedBy starter : kStarters)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed << ", started by " << number_of(starter));
      puts::starter = starter;
      DriverNotes notes;
      { DeviceScene(settings_of({1, 1}, seed, &notes)).run(task); }
      CHECK(notes.prepared_copies == 0);
    }
  puts::starter = gpu::PutsStartedBy::automatic;
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

/// Ten neighbours, one that is none, and two again in the other order.
Task<> merge(Runtime&) {
  List made;
  const gpu::Flag flag(made.stream);
  std::vector<gpu::Put> list = made.puts(12);
  list[11].from_offset = 60;  // its target follows that of put 10, its source does not
  made.options.started_by = gpu::PutsStartedBy::host;
  gpu::Pinned<std::uint32_t> words(16, made.stream);
  for (std::uint32_t i = 0; i < 16; ++i) words[i] = 100 + i;
  made.stream.copy(made.out.span(), words);
  for (const auto* buffer : {&made.in, &made.flags, &made.refused}) made.stream.fill(buffer->span(), 0);
  co_await made.stream.drained();
  const std::size_t before = notes.copies;
  {
    const gpu::PreparedPuts prepared(made.table, list, made.stream, made.options);
    made.stream.launch({{1}, {1}}, StartPuts{prepared.ring(), 0, 12, 5, made.refused.data()});
    made.stream.raise(flag);
    // The PE does not turn to its network before all is posted.
    while (flag.value() == 0) gpu::this_device().driver().advance();
  }
  CHECK(notes.copies - before == 2);
  gpu::Pinned<std::uint32_t> seen(16, made.stream);
  const auto arrived = [&] { return std::count(seen.span().begin(), seen.span().begin() + 12, 5u); };
  do {
    made.stream.copy(seen, made.flags.span());
    co_await made.stream.drained();
  } while (arrived() < 12);
  made.stream.copy(seen, made.in.span());
  co_await made.stream.drained();
  for (std::uint32_t i = 0; i < 11; ++i) CHECK(seen[i] == 100 + i);
  CHECK(seen[11] == 115);
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

TEST_CASE("a list of puts that cannot be right is refused", "[puts][bad input]") {
  DriverNotes notes;
  {
    DeviceScene scene(settings_of({1, 1}, 1, &notes));
    scene.network().on(0, [&](Pe&) {
      List made;
      CHECK(has(made.refusal({}), "the list is empty"));
      std::vector<gpu::Put> list = made.puts(3);
      list[1].bytes = 8;
      CHECK(has(made.refusal(list), "the targets of puts 1 and 2 of a list overlap, in segment "));
      list = made.puts(3);
      list[2].flag = 0;
      CHECK(has(made.refusal(list), "puts 0 and 2 of a list raise one flag, word 0 of segment "));
      list = made.puts(3);
      list[0].to = made.words;
      list[0].to_offset = 7;  // the last byte of word 1
      list[0].bytes = 1;
      CHECK(has(made.refusal(list), "put 0 of a list would overwrite the flag of put 1, word 1 of segment "));
      list[0].to_offset = 12;  // behind all flags
      CHECK(made.refusal(list).empty());
      list[2].from_offset = 61;
      CHECK(has(made.refusal(list), "the source of a put: 4 bytes at offset 61 are beyond segment 0 (\"out\")"));
      made.options.copies_of_each = 0;
      CHECK(has(made.refusal(made.puts(1)), "1 puts with 0 copies each (copies_of_each)"));
      made.options.copies_of_each = 4000;
      CHECK(has(made.refusal(made.puts(2)), "a list has 1 to 4096 copies"));
      made.options = {.ring = 24};
      CHECK(has(made.refusal(made.puts(1)), "a ring of 24 requests; it is a power of two"));
      made.options = {};
      notes.why_no_started_copies = "kernels of HIP cannot launch graphs";
      made.options.started_by = gpu::PutsStartedBy::device;
      CHECK(has(made.refusal<gpu::GpuError>(made.puts(1)),
                "this device does not start the copies of puts: kernels of HIP cannot launch graphs. Let the host"));
      made.options.started_by = gpu::PutsStartedBy::program;
      CHECK(has(made.refusal<gpu::GpuError>(made.puts(1)), "kernels cannot start the copies of puts: kernels of HIP"));
      made.options.started_by = gpu::PutsStartedBy::automatic;
      CHECK(gpu::PreparedPuts(made.table, made.puts(1), made.stream).started_by() == gpu::PutsStartedBy::host);
      notes.why_no_started_copies.clear();
      CHECK(gpu::PreparedPuts(made.table, made.puts(1), made.stream).started_by() == gpu::PutsStartedBy::device);
      CHECK(made.refusal(made.puts(16)).empty());
    });
  }
  CHECK(notes.prepared_copies == 0);
}

TEST_CASE("a list of puts has a ring or starts, and none when it was moved", "[puts][bad input]") {
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.network().on(0, [&](Pe&) {
    List made;
    const gpu::PreparedPuts with(made.table, made.puts(1), made.stream);
    CHECK(has(thrown<UsageError>([&] { (void)with.starts(); }), "pass ring()"));
    made.options.started_by = gpu::PutsStartedBy::program;
    gpu::PreparedPuts without(made.table, made.puts(1), made.stream, made.options);
    CHECK(has(thrown<UsageError>([&] { (void)without.ring(); }), "pass starts()"));
    const gpu::PreparedPuts taken = std::move(without);
    CHECK(has(thrown<UsageError>([&] { (void)without.starts(); }), "moved to another object"));  // NOLINT: on purpose
    CHECK(taken.starts().puts == 1);
  });
}

}  // namespace kaon::testing
