// SPDX-License-Identifier: Apache-2.0
// threads: those that give memory back
#include "kaon/runtime/memory/pool.hpp"

#include <malloc.h>

#include <barrier>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::testing;
using kaon::testing::kHasAddressSanitizer;
using kaon::testing::kHasThreadSanitizer;

namespace {

constexpr std::size_t kBlocksOfSlab = 1024;  // of 64 bytes

std::set<void*> allocate_some(Pool& pool, std::size_t count, std::size_t bytes) {
  std::set<void*> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    void* block = pool.allocate(bytes);
    std::memset(block, 0x5a, bytes);
    blocks.insert(block);
  }
  return blocks;
}

void release_all(Pool& pool, const std::set<void*>& blocks, std::size_t bytes) {
  for (void* block : blocks) pool.release(block, bytes);
}

std::size_t mapped_bytes() { return mallinfo2().hblkhd; }

}  // namespace

TEST_CASE("blocks of every size are aligned, apart from each other and usable to the last byte", "[runtime][pool]") {
  Pool pool;
  const std::vector<std::size_t> sizes = {
      0, 1, 63, 64, 65, 2047, 2048, 2049, 4095, 4096, 4097, 8192, 65537, Pool::kMaxLarge, Pool::kMaxLarge + 1};
  for (int round = 0; round < 2; ++round) {
    std::vector<std::byte*> blocks;
    for (const std::size_t bytes : sizes) {
      blocks.push_back(static_cast<std::byte*>(pool.allocate(bytes)));
      CHECK(reinterpret_cast<std::uintptr_t>(blocks.back()) % Pool::kGranule == 0);
      if (bytes != 0) std::memset(blocks.back(), static_cast<int>(blocks.size()), bytes);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] != 0) {
        CHECK(blocks[i][0] == static_cast<std::byte>(i + 1));
        CHECK(blocks[i][sizes[i] - 1] == static_cast<std::byte>(i + 1));
      }
      pool.release(blocks[i], sizes[i]);
    }
  }
}

TEST_CASE("no block is handed out twice", "[runtime][pool]") {
  Pool pool;
  for (const std::size_t bytes : {16u, 300u, 2048u, 5000u}) {
    const auto blocks = allocate_some(pool, 3000, bytes);
    CHECK(blocks.size() == 3000);
    release_all(pool, blocks, bytes);
  }
}

TEST_CASE("a block that was released is the next to be handed out", "[runtime][pool]") {
  if (kHasAddressSanitizer) return;  // every block is the heap's
  Pool pool;
  for (const std::size_t bytes : {64u, 2000u, 100'000u}) {
    void* block = pool.allocate(bytes);
    pool.release(block, bytes);
    void* again = pool.allocate(bytes - 1);
    CHECK(again == block);
    pool.release(again, bytes - 1);
  }
}

TEST_CASE("blocks that another pool lets go come home in chains", "[runtime][pool]") {
  Pool owner(0), other(1);
  const auto blocks = allocate_some(owner, kBlocksOfSlab, 64);
  for (void* block : blocks) other.release_foreign(block, 64, owner);
  if (kHasAddressSanitizer) return;
  const auto again = allocate_some(owner, kBlocksOfSlab, 64);
  CHECK(again == blocks);  // no new slab was needed: 1024 is a multiple of the length of a chain
  release_all(owner, again, 64);
}

TEST_CASE("a chain that is not full goes home when its PE has nothing else to do", "[runtime][pool]") {
  Pool owner(0), other(1);
  auto blocks = allocate_some(owner, kBlocksOfSlab, 64);
  void* const last = *blocks.begin();
  other.release_foreign(last, 64, owner);
  if (kHasAddressSanitizer) return release_all(owner, {std::next(blocks.begin()), blocks.end()}, 64);
  void* const fresh = owner.allocate(64);
  CHECK(blocks.count(fresh) == 0);  // the chain waits for more
  owner.release(fresh, 64);
  for (std::size_t i = 0; i < kBlocksOfSlab; ++i) owner.allocate(64);  // until the second slab is used up too
  other.send_chains_home();
  CHECK(owner.allocate(64) == last);
}

TEST_CASE("a large block of another pool goes home at once", "[runtime][pool]") {
  Pool owner(0), other(1);
  void* block = owner.allocate(100'000);
  other.release_foreign(block, 100'000, owner);
  if (kHasAddressSanitizer) return;
  void* again = owner.allocate(100'000);
  CHECK(again == block);
  owner.release(again, 100'000);
}

TEST_CASE("chains for several pools do not mix", "[runtime][pool]") {
  Pool first(0), second(1), other(2);
  const auto of_first = allocate_some(first, kBlocksOfSlab, 64);
  const auto of_second = allocate_some(second, kBlocksOfSlab, 64);
  auto at = of_second.begin();
  for (void* block : of_first) {
    other.release_foreign(block, 64, first);
    other.release_foreign(*at++, 64, second);
  }
  other.send_chains_home();
  if (kHasAddressSanitizer) return;
  CHECK(allocate_some(first, kBlocksOfSlab, 64) == of_first);
  CHECK(allocate_some(second, kBlocksOfSlab, 64) == of_second);
}

TEST_CASE("memory that came home in one size is not taken for another", "[runtime][pool]") {
  if (kHasAddressSanitizer) return;
  Pool owner(0), other(1);
  void* const small = owner.allocate(64);
  other.release_foreign(small, 64, owner);
  other.send_chains_home();
  void* const larger = owner.allocate(640);  // the first of its size: looks at what has come home
  std::memset(larger, 1, 640);
  CHECK(larger != small);
  owner.release(larger, 640);
}

TEST_CASE("chains that come home from two threads at once are all there", "[runtime][pool]") {
  if (kHasAddressSanitizer) return;
  constexpr int kRounds = 20;
  constexpr std::size_t kEach = 20 * kBlocksOfSlab;
  Pool owner(0), one(1), two(2);
  for (int round = 0; round < kRounds; ++round) {
    const auto blocks = allocate_some(owner, 2 * kEach, 64);
    const std::vector<void*> list(blocks.begin(), blocks.end());
    std::barrier together(2);
    const auto send_home = [&](Pool& from, std::size_t first) {
      together.arrive_and_wait();
      for (std::size_t i = first; i < first + kEach; ++i) {
        from.release_foreign(list[i], 64, owner);
        from.send_chains_home();
      }
    };
    std::thread thread([&] { send_home(one, 0); });
    send_home(two, kEach);
    thread.join();
    const auto again = allocate_some(owner, 2 * kEach, 64);
    REQUIRE(again == blocks);
    release_all(owner, again, 64);
  }
}

TEST_CASE("a large block that goes round is kept each time", "[runtime][pool]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;
  const std::size_t before = mapped_bytes();
  Pool pool;
  for (int i = 0; i < 10; ++i) pool.release(pool.allocate(Pool::kMaxLarge), Pool::kMaxLarge);
  CHECK(mapped_bytes() - before >= Pool::kMaxLarge);
}

TEST_CASE("free large blocks are kept up to a limit, the rest goes back to the heap", "[runtime][pool]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // mallinfo2 tells of the C library's heap only
  const std::size_t before = mapped_bytes();
  {
    Pool pool;
    std::vector<void*> blocks;
    for (int i = 0; i < 6; ++i) blocks.push_back(pool.allocate(Pool::kMaxLarge));
    CHECK(mapped_bytes() - before >= 6 * Pool::kMaxLarge);
    for (void* block : blocks) pool.release(block, Pool::kMaxLarge);
    CHECK(mapped_bytes() - before >= Pool::kMaxKept);
    CHECK(mapped_bytes() - before < Pool::kMaxKept + Pool::kMaxLarge);
  }
  CHECK(mapped_bytes() == before);
}

TEST_CASE("more than there can be is an error of memory, not a crash", "[runtime][pool]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // they end the program instead of giving nullptr
  Pool pool;
  CHECK_THROWS_AS(pool.allocate(std::size_t{1} << 60), OutOfMemory);
}
