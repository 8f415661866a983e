// SPDX-License-Identifier: Apache-2.0
// Lists of puts that are refused.
#include <optional>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/puts/copy_room.hpp"
#include "kaon/gpu/puts/prepared_puts.hpp"
#include "tests/puts/put_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

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
      CHECK(made.refusal(made.puts(16)).empty());
    });
  }
  CHECK(notes.prepared_copies == 0);
}

TEST_CASE("the host starts puts where a device cannot", "[puts][bad input]") {
  DriverNotes notes;
  DeviceScene scene(settings_of({1, 1}, 1, &notes));
  scene.network().on(0, [&](Pe&) {
    List made;
    notes.why_no_started_copies = "kernels of HIP cannot launch graphs";
    made.options.started_by = gpu::PutsStartedBy::device;
    CHECK(has(made.refusal<gpu::GpuError>(made.puts(1)),
              "kernels cannot start the copies of puts: kernels of HIP cannot launch graphs. Let the host"));
    made.options.started_by = gpu::PutsStartedBy::program;
    CHECK(has(made.refusal<gpu::GpuError>(made.puts(1)), "kernels cannot start the copies of puts: kernels of HIP"));
    made.options.started_by = gpu::PutsStartedBy::automatic;
    CHECK(gpu::PreparedPuts(made.table, made.puts(1), made.stream).started_by() == gpu::PutsStartedBy::host);
    notes.why_no_started_copies.clear();
    CHECK(gpu::PreparedPuts(made.table, made.puts(1), made.stream).started_by() == gpu::PutsStartedBy::device);
  });
}

// As a driver of CUDA does, the emulation would wait for the kernel that serves the first list (free=waits).
TEST_CASE("a list that a driver has no room for is started by the host", "[puts][bad input]") {
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.network().on(0, [](Pe&) {
    constexpr std::uint16_t kPuts = 12;
    List first, second;
    const gpu::PreparedPuts served(first.table, first.puts(1), first.stream,
                                   {.started_by = gpu::PutsStartedBy::device});
    second.options = {.started_by = gpu::PutsStartedBy::automatic, .copies_of_each = 100};
    CHECK(gpu::PreparedPuts(second.table, second.puts(kPuts), second.stream, second.options).started_by() ==
          gpu::PutsStartedBy::host);
    for (const auto starter : {gpu::PutsStartedBy::device, gpu::PutsStartedBy::program}) {
      second.options.started_by = starter;
      CHECK(has(second.refusal<gpu::GpuError>(second.puts(kPuts)), "has no room left for 1200 more copies"));
    }
    second.options = {.started_by = gpu::PutsStartedBy::device};
    CHECK(second.refusal(second.puts(kPuts)).empty());
  });
}

TEST_CASE("room for copies comes back", "[puts]") {
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.network().on(0, [](Pe&) {
    constexpr std::size_t kMost = 1000;  // of the 1,024 that the first list makes room for
    List list;
    list.options.started_by = gpu::PutsStartedBy::device;
    const gpu::PreparedPuts served(list.table, list.puts(1), list.stream, list.options);
    const auto take = [&] {
      return gpu::CopyRoom::take(gpu::this_device(), kMost, {}, list.stream.here().stream->native);
    };
    gpu::CopyRoom room = take();
    CHECK(room);
    CHECK_FALSE(take());
    room = {};
    CHECK(take());
  });
}

TEST_CASE("a list of one device does not keep another device from making room", "[puts]") {
  struct Served {
    List list;
    std::vector<gpu::Put> list_of_one = list.puts(1);
    gpu::PreparedPuts puts{list.table, list_of_one, list.stream, list.options};
  };
  puts::starter = gpu::PutsStartedBy::device;
  DeviceScene scene(settings_of({1, 2}, 1));
  std::optional<Served> first;
  scene.network().on(0, [&](Pe&) { first.emplace(); });
  scene.network().on(1, [](Pe&) { CHECK(Served().puts.started_by() == gpu::PutsStartedBy::device); });
  scene.network().on(0, [&](Pe&) { first.reset(); });
}

TEST_CASE("two lists of puts do not raise one flag", "[puts][bad input]") {
  for (const gpu::PutsStartedBy starter : kStarters) {
    DeviceScene scene(settings_of({1, 1}, 1));
    scene.network().on(0, [starter](Pe&) {
      List made;
      made.options.started_by = starter;
      const std::vector<gpu::Put> both = made.puts(2), second{both[1]};
      {
        const gpu::PreparedPuts prepared(made.table, both, made.stream, made.options);
        CHECK(has(made.refusal(second), "put 0 of a list raises word 1 of segment 2 (\"flags\"), which another list"));
      }
      CHECK(made.refusal(second).empty());
    });
  }
}

TEST_CASE("a list of puts has a ring or starts, and none when it was moved", "[puts][bad input]") {
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.network().on(0, [&](Pe&) {
    List made;
    const gpu::PreparedPuts with(made.table, made.puts(1), made.stream);
    CHECK(has(thrown<UsageError>([&] { (void)with.starts(); }), "pass ring()"));
    made.options.started_by = gpu::PutsStartedBy::program;
    gpu::PreparedPuts without(made.table, std::vector{made.puts(2)[1]}, made.stream, made.options);
    CHECK(has(thrown<UsageError>([&] { (void)without.ring(); }), "pass starts()"));
    const gpu::PreparedPuts taken = std::move(without);
    CHECK(has(thrown<UsageError>([&] { (void)without.starts(); }), "moved to another object"));  // NOLINT: on purpose
    CHECK(taken.starts().puts == 1);
  });
}

}  // namespace kaon::testing
