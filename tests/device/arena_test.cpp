// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/arena.hpp"

#include <set>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/memory_subject.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing::memory;
using kaon::testing::has;
using kaon::testing::thrown;

namespace {

/// What a program does that runs ahead of its device: it uses memory and frees it, `count` times.
std::size_t run_ahead(Subject& subject, std::size_t bytes, int count) {
  for (int i = 1; i <= count; ++i) {
    Block& block = subject.take(bytes, &subject.second);
    subject.give_back(block, {&subject.first, static_cast<std::uint64_t>(i)});
  }
  return subject.slab_bytes();
}

}  // namespace

TEST_CASE("memory freed in small blocks serves large ones, and the other way round", "[device][memory]") {
  Subject subject(64 * kMiB);
  for (const std::size_t bytes : {kMiB, 60 * kMiB, std::size_t{1000}, 48 * kMiB, 5 * kMiB, 64 * kMiB}) {
    CAPTURE(bytes);
    std::vector<Block*> blocks;
    while (blocks.size() * bytes < 32 * kMiB) blocks.push_back(&subject.take(bytes));
    for (Block* block : blocks) subject.give_back(*block);
  }
}

TEST_CASE("a program that runs ahead of its device uses again what will be free", "[device][memory]") {
  Subject small(4096 * kMiB), large(4096 * kMiB);
  CHECK(run_ahead(small, kMiB, 1000) <= 256 * kMiB);
  CHECK(run_ahead(large, 32 * kMiB, 60) <= 256 * kMiB);
}

TEST_CASE("what free memory still waits for is known, for who needs all of it", "[device][memory]") {
  Subject subject(64 * kMiB);
  Block& one = subject.take(kMiB);
  Block& two = subject.take(30 * kMiB);
  Block& small = subject.take(1000);
  subject.give_back(one, {&subject.first, 3});
  subject.give_back(two, {&subject.second, 2});
  subject.give_back(small, {&subject.first, 5});
  subject.memory.flush();
  const std::vector<Position> awaited = subject.arena.awaited();
  REQUIRE(awaited.size() == 2);
  for (const Position& position : awaited) {
    CHECK(position.count == (position.stream == &subject.first ? 5 : 2));
    position.stream->note_reached(position.count);
  }
  CHECK(subject.arena.awaited().empty());
  CHECK(subject.take(60 * kMiB).bytes >= 60 * kMiB);
}

TEST_CASE("a chunk is not free while one of the streams that used its blocks goes on", "[device][memory]") {
  Subject subject(2 * kMiB);
  std::vector<Block*> blocks;
  while (Block* block = subject.memory.take(1000, nullptr)) blocks.push_back(block);
  std::set<const std::byte*> still_used;
  for (std::size_t i = 0; i < blocks.size(); i += 2) {
    still_used.insert(blocks[i]->data);
    subject.give_back(*blocks[i], {&subject.first, 1});
  }
  for (std::size_t i = 1; i < blocks.size(); i += 2) subject.give_back(*blocks[i], {&subject.second, 1});
  subject.memory.flush();
  subject.second.note_reached(1);
  std::size_t taken = 0;
  for (; const Block* block = subject.memory.take_idle(1000); ++taken) REQUIRE(still_used.count(block->data) == 0);
  CHECK(taken > 0);
}

TEST_CASE("free neighbours are one piece at once, so that a larger piece beside them stays whole", "[device][memory]") {
  const bool is_left_first = GENERATE(true, false);
  Subject subject(10 * kMiB);
  REQUIRE(subject.arena.reserve(10 * kMiB));
  Block& left = subject.take(2 * kMiB);
  Block& right = subject.take(2 * kMiB);
  subject.take(kMiB);
  Block& large = subject.take(5 * kMiB);
  subject.give_back(is_left_first ? left : right);
  subject.give_back(is_left_first ? right : left);
  subject.give_back(large);
  subject.take(4 * kMiB);
  CHECK(subject.memory.take(5 * kMiB, nullptr) != nullptr);
}

TEST_CASE("neighbours that waited for different streams are one piece when these are done", "[device][memory]") {
  Subject subject(4 * kMiB);
  REQUIRE(subject.arena.reserve(4 * kMiB));
  Block& left = subject.take(2 * kMiB);
  Block& right = subject.take(2 * kMiB);
  subject.give_back(left, {&subject.first, 1});
  subject.give_back(right, {&subject.second, 1});
  CHECK(subject.memory.take(4 * kMiB, nullptr) == nullptr);
  for (StreamState* stream : {&subject.first, &subject.second}) stream->note_reached(1);
  CHECK(subject.memory.take(4 * kMiB, nullptr) != nullptr);
}

TEST_CASE("memory that nobody needs any more goes back to the driver", "[device][memory]") {
  Subject subject;
  std::vector<Block*> blocks;
  for (int i = 0; i < 300; ++i) blocks.push_back(&subject.take(kMiB));
  CHECK(subject.slab_bytes() >= 300 * kMiB);
  for (Block* block : blocks) subject.give_back(*block);
  subject.memory.flush();
  subject.arena.trim_unneeded();  // it was needed since the last time
  CHECK(subject.slab_bytes() >= 300 * kMiB);
  const std::byte* data = blocks.back()->data;
  subject.arena.trim_unneeded();
  CHECK(subject.slab_bytes() <= 100 * kMiB);
  CHECK(subject.driver->classify(data).location == Location::host);  // which is to say, no memory of the device
  subject.arena.trim();
  CHECK(subject.slab_bytes() == 0);
}

TEST_CASE("memory that streams still use, that others may have mapped or that is reserved stays", "[device][memory]") {
  Subject subject;
  Block& used = subject.take(20 * kMiB);
  subject.give_back(used, {&subject.first, 1});
  subject.arena.trim();
  CHECK(subject.slab_bytes() >= 20 * kMiB);
  subject.first.note_reached(1);
  subject.arena.trim();
  CHECK(subject.slab_bytes() == 0);

  Block& sent = subject.take(20 * kMiB);
  subject.arena.note_export(sent.region(), sent.bytes);
  subject.give_back(sent);
  subject.arena.trim();
  const std::size_t exported = subject.slab_bytes();
  CHECK(exported >= 20 * kMiB);
  REQUIRE(subject.arena.reserve(100 * kMiB));
  subject.arena.trim();
  CHECK(subject.slab_bytes() == exported + 100 * kMiB);
  CHECK(subject.take(90 * kMiB).bytes >= 90 * kMiB);
  CHECK(subject.slab_bytes() == exported + 100 * kMiB);
}

TEST_CASE("what never leaves the process keeps apart from what does", "[device][memory]") {
  Subject subject;
  Block& sent = subject.take(20 * kMiB);
  subject.arena.note_export(sent.region(), sent.bytes);
  Block& again = subject.take(20 * kMiB);  // of the same size: it will leave too
  Block& own = subject.take(40 * kMiB);
  CHECK(again.region().is_exported);
  CHECK_FALSE(own.region().is_exported);
}

TEST_CASE("a small program takes little memory", "[device][memory]") {
  Subject subject;
  subject.take(8);
  CHECK(subject.slab_bytes() <= 2 * kMiB);
  Subject pinned(kMiB, {.kind = Arena::Kind::pinned, .is_emulated = true});
  pinned.take(8);
  CHECK(pinned.slab_bytes() <= kMiB / 4);
}

TEST_CASE("a process takes no more of a device than it may", "[device][memory]") {
  Subject subject(1024 * kMiB, {.is_emulated = true, .most_bytes = 10 * kMiB, .is_capped = true});
  CHECK(subject.memory.take(11 * kMiB, nullptr) == nullptr);
  CHECK(subject.memory.take(9 * kMiB, nullptr) != nullptr);
  CHECK(subject.memory.take(2 * kMiB, nullptr) == nullptr);
  CHECK_FALSE(subject.arena.reserve(8 * kMiB));
  CHECK(has(thrown<OutOfMemory>([&] { subject.memory.throw_out_of_memory(5); }), "--device-memory-mib"));
}

TEST_CASE("slabs are regions until their memory goes", "[device][memory]") {
  const auto driver = make_host_driver({});
  RegionTable regions;
  RegionView view(regions);
  const std::byte* data = nullptr;
  {
    Arena arena(*driver, regions, {});
    Memory memory(arena);
    Block& block = *memory.take(1000, nullptr);
    data = block.data;
    REQUIRE(view.find(data + 999) == &block.region());
    CHECK(block.region().kind == MemoryKind::device);
    memory.give_back(block, {});
  }
  CHECK(view.find(data) == nullptr);
}
