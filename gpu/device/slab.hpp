// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "kaon/gpu/device/block.hpp"

namespace kaon::gpu {

struct Slab;

/// The blocks of a chunk. Such arrays live as long as their arena, because a PE may still look at one whose chunk is
/// cut anew.
struct BlockArray {
  explicit BlockArray(std::size_t count) : blocks(std::make_unique<Block[]>(count)), capacity(count) {}
  const std::unique_ptr<Block[]> blocks;
  const std::size_t capacity;
};

/// A run of a slab that is cut into blocks of one size; one alone when it is large. Lives as long as its arena and is
/// used again. PEs that look for the block of a pointer read the first three without a lock (relaxed): what they find
/// counts only if they hold that block, and then nobody changes its chunk.
struct Chunk {
  std::atomic<std::byte*> data{nullptr};
  std::atomic<std::size_t> block_bytes{0};
  std::atomic<BlockArray*> array{nullptr};
  // All else is guarded by the arena's lock.
  Slab* slab = nullptr;
  std::size_t bytes = 0;
  std::size_t count = 0;   // of blocks
  std::size_t unused = 0;  // of these, how many are in the arena
  Block* first = nullptr;  // of those
  Chunk* next = nullptr;   // in a list of chunks of one size with free blocks
  Chunk* previous = nullptr;
  bool is_listed = false;
};

/// Memory that the driver gave, and what of it is free. Guarded by the lock of its arena, but for the table.
struct Slab : Region {
  static constexpr std::size_t kGranule = std::size_t{8} << 10;  // chunks begin and end at multiples of it

  struct Free {
    std::size_t bytes = 0;
    Position free_at;
  };

  explicit Slab(std::size_t count) : table(count / kGranule + 1) {}
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  std::map<std::size_t, Free> free;        // by offset; neighbours are merged when their last uses allow it
  std::size_t used = 0;                    // bytes in chunks
  bool is_reserved = false;                // never given back
  std::vector<std::atomic<Chunk*>> table;  // by granule
};

}  // namespace kaon::gpu
