// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/memory.hpp"

#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace kaon::gpu;
using kaon::testing::has;
using kaon::testing::thrown;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Memory over an emulated device, and two streams that have reached nothing.
struct Subject {
  explicit Subject(std::size_t bytes = 1024 * kMiB, Memory::Kind kind = Memory::Kind::device)
      : driver(make_host_driver({.memory_bytes = bytes, .seed = 1})), memory(*driver, regions, kind, 0, true) {}
  Block& take(std::size_t bytes, const StreamState* user = nullptr) { return memory.take(bytes, user); }
  void give_back(Block& block, Position last_use = {}) { memory.give_back(block, last_use, true); }

  std::unique_ptr<Driver> driver;
  RegionTable regions;
  Memory memory;
  StreamState first, second;
};

}  // namespace

TEST_CASE("a block holds what was asked for and wastes at most a fifth", "[device][memory]") {
  Subject subject;
  for (std::size_t bytes : {1, 255, 256, 257, 1000, 1024, 1025, 5000, 70'000, 1'000'000, 16'000'000}) {
    const Block& block = subject.take(bytes);
    CAPTURE(bytes, block.bytes);
    CHECK(block.bytes >= bytes);
    CHECK(block.bytes <= std::max<std::size_t>(256, (bytes + 255) / 256 * 256 * 5 / 4));
    CHECK(block.bytes % 256 == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(block.data) % 256 == 0);
  }
}

TEST_CASE("blocks that are in use never overlap", "[device][memory]") {
  Subject subject;
  std::vector<Block*> blocks;
  for (std::size_t i = 0; i < 500; ++i) {
    blocks.push_back(&subject.take(1 + i * i % 70'001));
    if (i % 3 == 2) subject.give_back(*std::exchange(blocks[i / 2], blocks.back())), blocks.pop_back();
  }
  std::set<std::pair<std::byte*, std::byte*>> ranges;
  for (const Block* block : blocks) CHECK(ranges.emplace(block->data, block->data + block->bytes).second);
  const std::byte* end = nullptr;
  for (const auto& [begin, after] : ranges) {
    CHECK((end == nullptr || begin >= end));
    end = after;
  }
}

TEST_CASE("what came back first is used again first", "[device][memory]") {
  Subject subject;
  Block& one = subject.take(1000);
  Block& two = subject.take(1000);
  Block& three = subject.take(1000);
  for (Block* block : {&two, &three, &one}) subject.give_back(*block);
  CHECK(&subject.take(1000) == &two);
  CHECK(&subject.take(1000) == &three);
  CHECK(&subject.take(900) == &one);
}

TEST_CASE("a block whose last use is under way goes to its stream at once, and to others when it must",
          "[device][memory]") {
  Subject subject(kMiB);  // one slab that is as small as its first block
  Block& block = subject.take(kMiB);
  subject.give_back(block, {&subject.first, 5});
  CHECK(&subject.take(kMiB, &subject.first) == &block);
  subject.give_back(block, {&subject.first, 7});
  Block& again = subject.take(kMiB, &subject.second);  // nothing else is left: its user waits for free_at
  CHECK(&again == &block);
  CHECK(again.free_at.stream == &subject.first);
  CHECK(again.free_at.count == 7);
}

TEST_CASE("a block that is free now is preferred to one whose last use is under way", "[device][memory]") {
  Subject subject;
  Block& busy = subject.take(5000);
  Block& idle = subject.take(5000);
  subject.give_back(busy, {&subject.first, 5});
  subject.give_back(idle, {&subject.first, 3});
  subject.first.note_reached(3);
  CHECK(&subject.take(5000, &subject.second) == &idle);
  CHECK(&subject.take(5000, &subject.second) != &busy);
  subject.first.note_reached(5);
  CHECK(&subject.take(5000, &subject.second) == &busy);
}

TEST_CASE("large blocks are slabs of their own and are used again for what nearly fills them", "[device][memory]") {
  Subject subject;
  Block& large = subject.take(40 * kMiB);
  CHECK(large.bytes == 40 * kMiB);
  CHECK(subject.memory.slab_bytes() == 40 * kMiB);
  subject.give_back(large);
  CHECK(&subject.take(20 * kMiB) != &large);
  CHECK(&subject.take(39 * kMiB) == &large);
}

TEST_CASE("blocks come back from other threads", "[device][memory]") {
  Subject subject;
  std::vector<Block*> blocks;
  for (int i = 0; i < 400; ++i) blocks.push_back(&subject.take(1000));
  const std::size_t slabs = subject.memory.slab_bytes();
  {
    std::vector<std::jthread> others;
    for (std::size_t first = 0; first < 4; ++first)
      others.emplace_back([&, first] {
        for (std::size_t i = first; i < blocks.size(); i += 4) subject.memory.give_back(*blocks[i], {}, false);
      });
  }
  const std::set<Block*> before(blocks.begin(), blocks.end());
  for (int i = 0; i < 400; ++i) CHECK(before.contains(&subject.take(1000)));
  CHECK(subject.memory.slab_bytes() == slabs);
}

TEST_CASE("only what lies inside one block that is in use is live", "[device][memory]") {
  Subject subject;
  Block& block = subject.take(1000);
  Block& next = subject.take(1000);
  CHECK(subject.memory.is_live(block.data, block.bytes));
  CHECK(subject.memory.is_live(block.data + 100, 10));
  CHECK_FALSE(subject.memory.is_live(block.data + 100, block.bytes));
  CHECK_FALSE(subject.memory.is_live(next.data + next.bytes, 1));
  CHECK_FALSE(subject.memory.is_live(&subject, 1));
  subject.give_back(block);
  CHECK_FALSE(subject.memory.is_live(block.data, 1));
  CHECK(subject.memory.is_live(next.data, 1));
}

TEST_CASE("memory that is full says how much there is and what to do", "[device][memory]") {
  Subject subject(4 * kMiB);
  std::vector<Block*> blocks;
  const auto fill = [&] {
    while (true) blocks.push_back(&subject.take(300'000));
  };
  const std::string text = thrown<OutOfMemory>(fill);
  CHECK(blocks.size() >= 12);
  CHECK(has(text, "a buffer of 300000 bytes does not fit into the memory of device 0"));
  CHECK(has(text, "Use smaller blocks of data, or more devices"));
  subject.give_back(*blocks.back(), {&subject.first, 1});
  CHECK(&subject.take(300'000, &subject.second) == blocks.back());  // not ready: better than nothing
}

TEST_CASE("pinned memory is counted apart and is no region", "[device][memory]") {
  Subject subject(kMiB, Memory::Kind::pinned);
  const Block& block = subject.take(2 * kMiB);
  CHECK(subject.driver->classify(block.data).location == Location::pinned);
  CHECK(subject.regions.find(block.data) == nullptr);
}

TEST_CASE("slabs are regions until their memory goes", "[device][memory]") {
  const auto driver = make_host_driver({});
  RegionTable regions;
  const std::byte* data = nullptr;
  {
    Memory memory(*driver, regions, Memory::Kind::device, 0, false);
    const Block& block = memory.take(1000, nullptr);
    data = block.data;
    REQUIRE(regions.find(data + 999) == block.region);
    CHECK(block.region->kind == MemoryKind::device);
  }
  CHECK(regions.find(data) == nullptr);
}

TEST_CASE("a region is found by any of its bytes, the innermost first", "[device][memory]") {
  std::vector<std::byte> memory(1000);
  Region outer, inner, other;
  outer.base = memory.data();
  outer.bytes = 900;
  inner.base = memory.data() + 100;
  inner.bytes = 50;
  other.base = memory.data() + 950;
  other.bytes = 50;
  RegionTable table;
  CHECK(table.find(memory.data()) == nullptr);
  for (Region* region : {&other, &outer, &inner}) table.add(*region);
  CHECK(table.find(memory.data()) == &outer);
  CHECK(table.find(memory.data() + 100) == &inner);
  CHECK(table.find(memory.data() + 149) == &inner);
  CHECK(table.find(memory.data() + 150) == &outer);
  CHECK(table.find(memory.data() + 899) == &outer);
  CHECK(table.find(memory.data() + 900) == nullptr);
  CHECK(table.find(memory.data() + 950) == &other);
  table.remove(inner);
  CHECK(table.find(memory.data() + 100) == &outer);
  table.remove(outer);
  CHECK(table.find(memory.data() + 100) == nullptr);
}
