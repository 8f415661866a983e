// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

class Arena;
class Memory;
struct Chunk;

/// A piece of memory that somebody has, or may have next. What it is stays as long as nobody gives it back.
struct Block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;  // of its size class
  Chunk* chunk = nullptr;
  Block* next = nullptr;       // in a list of free blocks
  Position free_at;            // its last use; before that, only work on this stream may touch it
  Position landed_at;          // the last copy into it on another stream than its user's
  std::uint32_t receives = 0;  // payloads that are being received into it
  // Who took it; nullptr: nobody. Relaxed: each PE asks only whether it is itself, which no other changes but by
  // freeing.
  std::atomic<const Memory*> holder{nullptr};

  Arena& arena() const;
  Region& region() const;
};

}  // namespace kaon::gpu
