// SPDX-License-Identifier: Apache-2.0
// threads: those that give memory back
#include "kaon/gpu/device/memory.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/memory_subject.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing::memory;
using namespace kaon::gpu;
using kaon::testing::has;
using kaon::testing::thrown;

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
  Subject subject(2 * kMiB);
  Block& block = subject.take(2 * kMiB);
  subject.give_back(block, {&subject.first, 5});
  CHECK(&subject.take(2 * kMiB, &subject.first) == &block);
  subject.give_back(block, {&subject.first, 7});
  Block& again = subject.take(2 * kMiB, &subject.second);  // nothing else is left: its user waits for free_at
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

TEST_CASE("blocks come back on other threads and serve there", "[device][memory]") {
  Subject subject;
  std::vector<Block*> blocks;
  for (int i = 0; i < 400; ++i) blocks.push_back(&subject.take(1000));
  const std::size_t slabs = subject.slab_bytes();
  {
    std::vector<std::jthread> others;
    for (std::size_t first = 0; first < 4; ++first)
      others.emplace_back([&, first] {
        Memory memory(subject.arena);
        for (std::size_t i = first; i < blocks.size(); i += 4) memory.give_back(*blocks[i], {});
        for (std::size_t i = first; i < blocks.size(); i += 4) blocks[i] = memory.take(1000, nullptr);
        for (std::size_t i = first; i < blocks.size(); i += 4) memory.give_back(*blocks[i], {});
      });
  }
  CHECK(subject.slab_bytes() == slabs);
  CHECK(subject.arena.facts().used_bytes == 0);
}

TEST_CASE("only what lies inside one block that this PE has is live", "[device][memory]") {
  Subject subject;
  Block& block = subject.take(1000);
  Block& next = subject.take(1000);
  CHECK(subject.is_live(block.data, block.bytes));
  CHECK(subject.is_live(block.data + 100, 10));
  CHECK_FALSE(subject.is_live(block.data + 100, block.bytes));
  CHECK_FALSE(subject.is_live(&subject, 1));
  Block& elsewhere = *subject.others.take(1000, nullptr);
  CHECK_FALSE(subject.is_live(elsewhere.data, 1));
  CHECK(Memory::is_live_elsewhere(elsewhere.region(), elsewhere.data, subject.memory));
  CHECK_FALSE(Memory::is_live_elsewhere(next.region(), next.data, subject.memory));
  subject.give_back(block);
  CHECK_FALSE(subject.is_live(block.data, 1));
  CHECK(subject.is_live(next.data, 1));
}

TEST_CASE("memory that is full says how much there is and what to do", "[device][memory]") {
  Subject subject(4 * kMiB);
  std::vector<Block*> blocks;
  while (Block* block = subject.memory.take(300'000, nullptr)) blocks.push_back(block);
  CHECK(blocks.size() >= 12);
  const std::string text = thrown<OutOfMemory>([&] { subject.memory.throw_out_of_memory(300'000); });
  CHECK(has(text, "a buffer of 300000 bytes does not fit into the memory of device 0"));
  CHECK(has(text, "this process has 4 MiB of it"));
  CHECK(has(text, "Use smaller blocks of data, or more devices"));
  subject.give_back(*blocks.back(), {&subject.first, 1});
  CHECK(&subject.take(300'000, &subject.second) == blocks.back());  // not ready: better than nothing
}

TEST_CASE("memory that is full says how much was freed behind work that may not end", "[device][memory]") {
  Subject subject(4 * kMiB);
  const auto text = [&subject] { return thrown<OutOfMemory>([&] { subject.memory.throw_out_of_memory(300'000); }); };
  subject.first.open_ended = 1;
  subject.take(300);  // of the same chunk, which stays
  subject.give_back(subject.take(300), {&subject.first, 1});
  subject.memory.flush();
  CHECK(has(text(), " 512 bytes of the rest were freed behind a resident kernel"));
  subject.give_back(subject.take(kMiB), {&subject.first, 1});
  CHECK(has(text(), " 1024 KiB of the rest were freed behind a resident kernel"));
}

TEST_CASE("memory that is full names work that may not end although nothing was freed behind it", "[device][memory]") {
  StreamState stream;
  stream.open_ended = 1;
  FreeGate gate;
  gate.add(stream);
  Subject subject(4 * kMiB, {.is_emulated = true, .gate = &gate});
  const std::string text = thrown<OutOfMemory>([&] { subject.memory.throw_out_of_memory(300'000); });
  CHECK(has(text, " The device is busy with a resident kernel"));
  CHECK_FALSE(has(text, "of the rest"));
}

TEST_CASE("memory that one PE has freed serves the others", "[device][memory]") {
  Subject subject(64 * kMiB);
  for (Memory* memory : {&subject.memory, &subject.others, &subject.memory}) {
    std::vector<Block*> blocks;
    for (int i = 0; i < 60; ++i) blocks.push_back(memory->take(kMiB, nullptr));
    for (Block* block : blocks) {
      REQUIRE(block != nullptr);
      memory->give_back(*block, {});
    }
  }
  CHECK(subject.slab_bytes() <= 64 * kMiB);
}

TEST_CASE("pinned memory is no region", "[device][memory]") {
  Subject subject(kMiB, {.kind = Arena::Kind::pinned, .is_emulated = true});
  const Block& block = subject.take(2 * kMiB);
  CHECK(subject.driver->classify(block.data).location == Location::pinned);
  CHECK(subject.find(block.data) == nullptr);
}
