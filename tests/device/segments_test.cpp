// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Memory of a device that kernels of other PEs of the host read and write where it lies.
#include "kaon/gpu/device/segments.hpp"

#include <string>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/segment_node.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing {
namespace segments {

constexpr std::size_t kInts = 1000;

Task<> share_twice(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<SegmentNode>();
  int good = 0;
  for (const int seed : {100, 200}) good += co_await nodes.call_all<&SegmentNode::share>(kaon::sum, seed);
  CHECK(good == 2 * static_cast<int>(runtime.pes()));
}

}  // namespace segments

namespace {

using segments::kInts;

DeviceSceneSettings settings_of(Network::Shape shape, int devices = 1, DriverNotes* notes = nullptr) {
  DeviceSceneSettings settings;
  settings.shape = shape;
  settings.devices = devices;
  settings.notes = notes;
  return settings;
}

/// What a PE shares, on its thread.
gpu::SegmentRange shared_by(DeviceScene& scene, PeId pe) {
  return scene.network().on(pe, [](Pe&) {
    gpu::Stream stream;
    return gpu::share_segment(gpu::Buffer<int>(kInts, stream));
  });
}

template <class Error>
std::string refused_open(DeviceScene& scene, PeId pe, const gpu::SegmentRange& range) {
  return scene.network().on(pe, [&](Pe&) { return thrown<Error>([&] { (void)gpu::open_segment<int>(range); }); });
}

/// A range as a message brings it.
gpu::SegmentRange sent(const gpu::SegmentRange& range) { return round_trip(range); }

int run_segments(const std::string& processes, const std::string& pes) {
  const ProgramRun run = run_program({program("kaonrun"), "-n", processes, test_program("device_segments_program"),
                                      "--pes", pes, "--device", device_choice()});
  CAPTURE(processes, pes, run.text);
  CHECK(run.code == 0);
  return run.code;
}

}  // namespace

TEST_CASE("kernels of another PE read and write memory that a PE shares", "[device][segments]") {
  run_on_devices(segments::share_twice);
}

TEST_CASE("kernels read and write memory that another device of their process shares", "[device][segments]") {
  DriverNotes notes;
  DeviceScene scene(settings_of({1, 2}, 2, &notes));
  scene.run(segments::share_twice);
  CHECK(notes.peers == std::set<std::pair<int, int>>{{0, 1}, {1, 0}});
  CHECK(notes.imports == 0);
}

TEST_CASE("kernels read and write memory that another process shares", "[device][segments][outside]") {
  run_segments("2", "1");
  run_segments("1", "2");
}

TEST_CASE("kernels read and write memory that each of many PEs shares", "[device][segments]") {
  run_segments("3", "2");
  const Variable devices("KAON_HOST_DEVICE", "devices=2,delay_us=50");
  run_segments("2", "2");
}

TEST_CASE("memory in one slab is exported once, and mapped once for a device that opens it", "[device][segments]") {
  DriverNotes notes;
  DeviceScene scene(settings_of({2, 2}, 1, &notes));
  const std::size_t exports = notes.exports, imports = notes.imports;
  const gpu::SegmentRange first = shared_by(scene, 0), second = sent(shared_by(scene, 1));
  CHECK(notes.exports == exports + 1);
  for (const PeId pe : {2U, 3U, 2U}) {
    CHECK(refused_open<Error>(scene, pe, first).empty());
    CHECK(refused_open<Error>(scene, pe, second).empty());
  }
  CHECK(notes.imports == imports + 1);
  CHECK(notes.closed == 0);
}

TEST_CASE("what was mapped ends with the run", "[device][segments]") {
  DriverNotes notes;
  {
    DeviceScene scene(settings_of({2, 1}, 1, &notes));
    CHECK(refused_open<Error>(scene, 1, shared_by(scene, 0)).empty());
  }
  CHECK(notes.closed == notes.imports);
  CHECK(notes.held == 0);
}

TEST_CASE("a slab in which something was shared is not given back", "[device][segments]") {
  DeviceScene scene(settings_of({1, 1}));
  gpu::Memory& memory = scene.device(0).memory().pool();
  for (const bool is_shared : {false, true}) {
    gpu::Block* block = memory.take_idle(kInts);
    REQUIRE(block != nullptr);
    if (is_shared) scene.network().on(0, [&](Pe&) { (void)gpu::share_segment(block->data, kInts); });
    memory.give_back(*block, {});
    memory.flush();
    memory.arena().trim();
    CHECK((memory.arena().facts().slab_bytes > 0) == is_shared);
  }
}

TEST_CASE("what is no buffer of the PE's device cannot be shared", "[device][segments][bad input]") {
  DeviceScene scene(settings_of({1, 2}, 2));
  const int* elsewhere = scene.network().on(1, [](Pe&) {
    gpu::Stream stream;
    return gpu::Buffer<int>(kInts, stream).data();
  });
  scene.network().on(0, [&](Pe&) {
    const auto refusal = [](const void* memory, std::size_t bytes) {
      return thrown<UsageError>([&] { (void)gpu::share_segment(memory, bytes); });
    };
    gpu::Stream stream;
    gpu::Buffer<int> buffer(kInts, stream);
    std::byte on_host[100];
    gpu::Device& device = scene.device(0);
    CHECK(refusal(buffer.data(), buffer.size_bytes()).empty());
    CHECK(has(refusal(buffer.data(), std::size_t{1} << 20), "longer than its buffer"));
    CHECK(has(refusal(nullptr, 100), "the buffer is empty"));
    CHECK(has(refusal(on_host, sizeof on_host), "memory of the host"));
    CHECK(has(refusal(elsewhere, sizeof(int)), "on device 1, this PE uses device 0"));
    CHECK(has(refusal(device.driver().allocate_pinned(100), 100), "memory of the host"));
    CHECK(has(thrown<UsageError>([&] { (void)gpu::share_segment(gpu::Buffer<int>()); }), "the buffer is empty"));
    const int* freed = gpu::Buffer<int>(kInts, stream).data();
    CHECK(has(refusal(freed, sizeof(int)), "it was freed"));
    void* own = device.driver().allocate(0, 4000);
    const gpu::Registration registration(own, 4000);
    CHECK(has(refusal(own, 4000), "registered memory"));
  });
}

TEST_CASE("a range that nobody shared, or of other elements, is not opened", "[device][segments][bad input]") {
  DeviceScene scene(settings_of({2, 1}));
  CHECK(has(refused_open<UsageError>(scene, 0, {}), "nobody has shared"));
  const gpu::SegmentRange range = scene.network().on(0, [](Pe&) {
    gpu::Stream stream;
    return gpu::share_segment(gpu::Buffer<char>(7, stream));
  });
  CHECK(range.bytes() == 7);
  CHECK(range.process() == 0);
  CHECK(has(refused_open<UsageError>(scene, 0, range), "no whole elements of 4 bytes"));
}

TEST_CASE("memory out of reach is not opened, and the error says why", "[device][segments]") {
  for (const auto& [shape, why] : {std::pair(Network::Shape{1, 2}, "there is no peer access between the two"),
                                   std::pair(Network::Shape{2, 1}, "there is no peer access between the devices")}) {
    DeviceSceneSettings settings = settings_of(shape, 2);
    settings.has_peer_access = false;
    DeviceScene scene(settings);
    const gpu::SegmentRange range = shared_by(scene, 0);
    CHECK(refused_open<Error>(scene, 0, range).empty());
    const std::string text = refused_open<gpu::GpuError>(scene, 1, range);
    CAPTURE(text);
    CHECK(has(text, "4000 bytes that process 0 shares are out of reach of device"));
    CHECK(has(text, why));
    CHECK(has(text, "kaon::Payload"));
  }
}

TEST_CASE("memory of another host is not opened", "[device][segments]") {
  DriverNotes notes;
  DeviceScene scene(settings_of({2, 1, {0, 1}}, 1, &notes));
  const std::size_t imports = notes.imports;
  CHECK(has(refused_open<gpu::GpuError>(scene, 1, shared_by(scene, 0)), "on another host"));
  CHECK(notes.imports == imports);
}

TEST_CASE("memory that its driver does not export is for its own process only", "[device][segments]") {
  DriverNotes notes;
  notes.exports_nothing = true;
  DeviceScene scene(settings_of({2, 1}, 1, &notes));
  const gpu::SegmentRange range = shared_by(scene, 0);
  CHECK(refused_open<Error>(scene, 0, range).empty());
  CHECK(has(refused_open<gpu::GpuError>(scene, 1, range), "map no device memory"));
}

TEST_CASE("processes whose devices do not reach each other are told so", "[device][segments][bad input]") {
  const Variable apart("KAON_HOST_DEVICE", "peers=0");
  const ProgramRun run = run_program(
      {program("kaonrun"), "-n", "2", test_program("device_segments_program"), "--pes", "1", "--device", "host"});
  CAPTURE(run.text);
  CHECK(run.code != 0);
  CHECK(has(run.text, "out of reach of device 0"));
}

}  // namespace kaon::testing
