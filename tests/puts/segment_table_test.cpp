// SPDX-License-Identifier: Apache-2.0
// Which puts a table of segments takes, and how it refuses others.
#include "kaon/gpu/puts/segment_table.hpp"

#include <functional>
#include <optional>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using gpu::Put;

/// Two buffers of 1,000 bytes, three flags, and their table, on PE 0 of a run with one device.
struct Table {
  gpu::Stream stream;
  std::optional<gpu::Buffer<char>> out{std::in_place, 1000, stream};
  gpu::Buffer<char> in{1000, stream};
  gpu::Buffer<std::uint32_t> words{3, stream};
  gpu::SegmentTable table;
  gpu::SegmentNumber from = table.add("halo out", *out);
  gpu::SegmentNumber to = table.add("halo in", in);
  gpu::SegmentNumber flags = table.add("arrivals", words);

  Put put(std::uint64_t bytes, std::uint64_t from_offset = 0, std::uint64_t to_offset = 0) const {
    return {.from = from, .to = to, .flags = flags, .bytes = bytes, .from_offset = from_offset, .to_offset = to_offset};
  }
  std::string refusal(const Put& put) const {
    return thrown<UsageError>([&] { (void)table.resolve(put); });
  }
};

void with_table(const std::function<void(Table&)>& check, std::size_t memory = std::size_t{1} << 30) {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  settings.memory = memory;
  DeviceScene scene(settings);
  scene.network().on(0, [&](Pe&) {
    Table table;
    check(table);
  });
}

}  // namespace

TEST_CASE("a put is resolved to addresses, whatever its size and alignment", "[puts]") {
  with_table([](Table& made) {
    const gpu::PutPlaces places = made.table.resolve(made.put(13, 3, 987));
    CHECK(reinterpret_cast<const char*>(places.from) == made.out->data() + 3);
    CHECK(reinterpret_cast<char*>(places.to) == made.in.data() + 987);
    CHECK(places.bytes == 13);
    CHECK(places.flag == made.words.data());
    Put put = made.put(1000);
    put.flag = 2;
    CHECK(made.table.resolve(put).flag == made.words.data() + 2);
    put.flags = gpu::kNoSegment;
    CHECK(made.table.resolve(put).flag == nullptr);
    CHECK(made.table.size() == 3);
  });
}

TEST_CASE("a put of no bytes is legal, also at the end of its segments", "[puts]") {
  with_table([](Table& made) {
    CHECK(made.refusal(made.put(0)).empty());
    CHECK(made.refusal(made.put(0, 1000, 1000)).empty());
    CHECK(has(made.refusal(made.put(0, 1001, 0)), "0 bytes at offset 1001 are beyond segment 0 (\"halo out\")"));
  });
}

TEST_CASE("a put of more than 4 GiB, and one behind the first 4 GiB, are legal", "[puts]") {
  static constexpr std::size_t kMuch = std::size_t{5} << 30;
  with_table(
      [](Table& made) {
        const gpu::Buffer<char> one(kMuch, made.stream), other(kMuch, made.stream);
        Put put = made.put(kMuch);
        put.from = made.table.add("one", one);
        put.to = made.table.add("other", other);
        CHECK(made.table.resolve(put).bytes == kMuch);
        put.to_offset = 1;
        CHECK(has(made.refusal(put), "beyond segment 4 (\"other\"), which has 5368709120 bytes"));
        put.bytes = 1;
        put.to_offset = kMuch - 1;
        CHECK(reinterpret_cast<char*>(made.table.resolve(put).to) == other.data() + kMuch - 1);
      },
      std::size_t{16} << 30);
}

TEST_CASE("a put beyond a segment is refused with its name", "[puts][bad input]") {
  with_table([](Table& made) {
    CHECK(has(made.refusal(made.put(1001)),
              "the source of a put: 1001 bytes at offset 0 are beyond segment 0 (\"halo out\"), which has 1000 bytes"));
    CHECK(has(made.refusal(made.put(10, 0, 991)), "the target of a put: 10 bytes at offset 991 are beyond segment 1"));
    CHECK(has(made.refusal(made.put(~std::uint64_t{0}, 10)), "beyond segment 0"));
    CHECK(has(made.refusal(made.put(10, ~std::uint64_t{0} - 5)), "beyond segment 0"));
    Put put = made.put(10);
    put.flag = 3;
    CHECK(has(made.refusal(put), "word 3 is beyond segment 2 (\"arrivals\"), which has 3 words"));
    put.to = 77;
    CHECK(has(made.refusal(put), "segment 77 is not in this table, which has 3"));
    CHECK(has(made.refusal(Put{}), "use the number that add() returned"));
  });
}

TEST_CASE("a put whose source and target overlap is refused", "[puts][bad input]") {
  with_table([](Table& made) {
    Put put = made.put(100, 0, 99);
    put.to = put.from;
    CHECK(has(made.refusal(put), "overlapping source and target, segment 0 (\"halo out\") at offset 0"));
    put.to = made.table.add("the same buffer", *made.out);
    CHECK(has(made.refusal(put), "segment 3 (\"the same buffer\") at offset 99"));
    put.to_offset = 100;
    CHECK(made.refusal(put).empty());
  });
}

TEST_CASE("a put that would overwrite its own flag is refused", "[puts][bad input]") {
  with_table([](Table& made) {
    Put put = made.put(4, 0, 8);
    put.to = put.flags;
    CHECK(made.refusal(put).empty());
    put.flag = 2;
    CHECK(has(made.refusal(put), "would overwrite its own flag, word 2 of segment 2 (\"arrivals\")"));
  });
}

TEST_CASE("a put from or to memory that is gone is refused", "[puts][bad input]") {
  with_table([](Table& made) {
    made.table.remove(made.to);
    CHECK(has(made.refusal(made.put(10)), "the target of a put: segment 1 (\"halo in\") was removed from its table"));
    CHECK(has(thrown<UsageError>([&] { made.table.remove(made.to); }), "was removed"));
    CHECK(made.table.add("halo in", made.in) == 3);
    made.out.reset();
    CHECK(
        has(made.refusal(made.put(10)), "the buffer of segment 0 (\"halo out\") was freed: keep it while puts use it"));
  });
}

TEST_CASE("segments are buffers with memory, in reach of the device", "[puts][bad input]") {
  with_table([](Table& made) {
    CHECK(has(thrown<UsageError>([&] { (void)made.table.add("none", gpu::Buffer<int>()); }), "the buffer is empty"));
    CHECK(has(thrown<UsageError>([&] { (void)made.table.add("none", gpu::SegmentRange()); }), "nobody has shared"));
  });
  DeviceSceneSettings settings;
  settings.shape = {1, 2};
  settings.devices = 2;
  settings.has_peer_access = false;
  DeviceScene scene(settings);
  const gpu::SegmentRange range = scene.network().on(0, [](Pe&) {
    gpu::Stream stream;
    return gpu::share_segment(gpu::Buffer<int>(10, stream));
  });
  scene.network().on(1, [&](Pe&) {
    gpu::SegmentTable table;
    CHECK(has(thrown<gpu::GpuError>([&] { (void)table.add("far", range); }), "there is no peer access"));
  });
}

TEST_CASE("a flag of the host is a segment of one word", "[puts]") {
  with_table([](Table& made) {
    const gpu::Flag flag(made.stream);
    Put put = made.put(1000);
    put.flags = made.table.add("done", flag);
    CHECK(made.table.resolve(put).flag == flag.word().word);
    put.flag = 1;
    CHECK(has(made.refusal(put), "beyond segment 3 (\"done\"), which has 1 words"));
  });
}

}  // namespace kaon::testing
