// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>

#include "kaon/gpu/device/arena.hpp"

namespace kaon::gpu {

/// An arena as one PE uses it: blocks that came back stay in a cache of the PE, so that taking and giving back what it
/// uses often takes no lock. Blocks may come back on another PE than the one that took them; then they are that PE's.
class Memory {
 public:
  explicit Memory(Arena& arena);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { flush(); }

  /// At least `bytes`, 256-byte aligned, free for work on `user` at once and for others at free_at. Prefers blocks that
  /// are free already; when a device lags far behind its PE, takes those that will be rather than more memory. nullptr:
  /// there is no memory left.
  Block* take(std::size_t bytes, const StreamState* user);
  /// Same as take(), but no work uses the block any more: the host may write it at once.
  Block* take_idle(std::size_t bytes);
  /// Free when the position is reached. Of this arena, whoever took it.
  void give_back(Block& block, Position last_use) noexcept;

  /// The block that this PE has around the range; nullptr: none.
  Block* find_own(const Region& region, const void* pointer, std::size_t bytes) const;
  /// True if another PE has the block there.
  static bool is_live_elsewhere(const Region& region, const void* pointer, const Memory& here);

  Arena& arena() { return arena_; }
  const Arena& arena() const { return arena_; }
  /// Bytes of the blocks that are kept for later.
  std::size_t kept_bytes() const { return kept_bytes_; }
  /// Gives all that is kept to the arena.
  void flush() noexcept;
  [[noreturn]] void throw_out_of_memory(std::size_t bytes) const;

 private:
  struct Free {  // first in, first out: what came back first is ready first
    Block* first = nullptr;
    Block* last = nullptr;
  };
  Block* take(SizeClass size, const StreamState* user, Arena::Readiness readiness);
  Block* take_kept(SizeClass size, const StreamState* user, Arena::Readiness readiness);
  Block* take_anywhere(SizeClass size, const StreamState* user, Arena::Readiness readiness);
  Block* handed_out(Block* block);
  bool is_far_behind() const;
  void spill(Free& list) noexcept;
  void give_oldest_back(Free& list) noexcept;

  Arena& arena_;
  std::size_t most_kept_;  // bytes
  std::size_t kept_bytes_ = 0;
  std::array<Free, SizeClass::kCount> kept_{};  // by class
};

}  // namespace kaon::gpu
