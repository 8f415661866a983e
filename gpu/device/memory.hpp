// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

class Memory;

/// A piece of a slab. It is carved once and then goes back and forth between its users and the list of its size.
struct Block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;  // of its size class
  Region* region = nullptr;
  Memory* home = nullptr;
  Block* next = nullptr;  // in the list of free blocks of its size, or on its way home
  Position free_at;       // its last use; before that, only work on this stream may touch it
  Position landed_at;     // the last copy into it on another stream than its user's
  bool is_live = false;
  std::uint32_t receives = 0;  // payloads that are being received into it
};

/// Memory of a device, or pinned memory of the host, for one PE: long-lived slabs of the driver's plain kind, which
/// other processes map once, cut into blocks of four sizes for each doubling. A block that comes back carries the
/// position of its last use, so that giving it back waits for nothing and taking it again on the same stream neither.
class Memory {
 public:
  enum class Kind : std::uint8_t { device, pinned };
  /// `driver` and `regions` live longer. `is_emulated`: the network takes it for the host's.
  Memory(Driver& driver, RegionTable& regions, Kind kind, int device, bool is_emulated);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  /// Gives the slabs back. All transfers and kernels have ended.
  ~Memory();

  /// At least `bytes`, 256-byte aligned, free for work on `user` at once and for others at free_at. Prefers blocks that
  /// are free already. Throws OutOfMemory.
  Block& take(std::size_t bytes, const StreamState* user);
  /// As take, but nothing uses the block any more: the host may write it at once.
  Block& take_idle(std::size_t bytes);
  /// Free when the position is reached. From the thread of any PE of the process.
  void give_back(Block& block, Position last_use, bool is_own_thread) noexcept;

  /// Whether the range lies inside one block that somebody has.
  bool is_live(const void* pointer, std::size_t bytes) const { return find_live(pointer, bytes) != nullptr; }
  /// That block; nullptr: there is none.
  Block* find_live(const void* pointer, std::size_t bytes) const;
  std::size_t slab_bytes() const { return slab_bytes_; }

 private:
  struct Slab {
    Region region;
    std::size_t used = 0;
    std::vector<Block*> blocks;  // by address
  };
  struct Free {  // first in, first out: what came back first is ready first
    Block* first = nullptr;
    Block* last = nullptr;
  };
  static constexpr std::size_t kSlabBytes = std::size_t{64} << 20;
  static constexpr std::size_t kLargest = std::size_t{16} << 20;  // beyond, a block is a slab of its own
  static constexpr std::size_t kClasses = std::size_t{4} * 64;

  static std::size_t class_of(std::size_t bytes);
  static std::size_t class_bytes(std::size_t bytes);
  Block* take_free(std::size_t size_class, const StreamState* user, bool must_be_ready);
  Block* take_large(std::size_t bytes, const StreamState* user, bool must_be_ready);
  Block* take_ready(std::size_t bytes, const StreamState* user);
  Block& handed_out(Block* block, std::size_t bytes);
  Block* carve(std::size_t bytes);
  Slab* add_slab(std::size_t bytes);
  void take_returned() noexcept;
  void keep(Block& block) noexcept;
  [[noreturn]] void throw_out_of_memory(std::size_t bytes) const;

  Driver& driver_;
  RegionTable& regions_;
  Kind kind_;
  int device_;
  bool is_emulated_;
  std::size_t slab_bytes_ = 0;
  std::size_t live_bytes_ = 0;
  std::array<Free, kClasses> free_{};
  std::vector<Block*> free_large_;
  std::deque<Slab> slabs_;
  Slab* filling_ = nullptr;
  std::deque<Block> blocks_;
  std::atomic<Block*> returned_{nullptr};  // others push (release), the owner takes all (acquire)
};

}  // namespace kaon::gpu
