// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/device/free_gate.hpp"
#include "kaon/gpu/device/size_class.hpp"
#include "kaon/gpu/device/slab.hpp"

namespace kaon::gpu {

/// Memory of a device, or pinned memory of the host, for all PEs of a process: slabs of the driver's plain kind, which
/// other processes can map, cut into chunks and those into blocks. Free neighbours merge, and slabs that are wholly
/// free go back to the driver. PEs keep what they use often in caches of their own (Memory) and come here, under a
/// lock, only to fill and to empty those.
///
/// What comes back carries the position of its last use, so that giving it back waits for nothing.
class Arena {
 public:
  enum class Kind : std::uint8_t { device, pinned };
  /// The required state of a block. `ready`: its last use is over, or on the taker's own stream. `any`: its last use
  /// may also be in progress, if it ends by itself.
  enum class Readiness : std::uint8_t { ready, any };

  struct Settings {
    Kind kind = Kind::device;
    int device = 0;
    bool is_emulated = false;                  // the network takes its memory for the host's
    std::size_t most_bytes = ~std::size_t{0};  // of all slabs
    bool is_capped = false;                    // by an option
    FreeGate* gate = nullptr;                  // of the process; nullptr: memory may go back at any time
  };
  struct Facts {
    std::size_t slab_bytes = 0;  // taken from the driver
    std::size_t used_bytes = 0;  // of these, in blocks that somebody has or keeps for his next one
  };

  /// `driver` and `regions` live longer.
  Arena(Driver& driver, RegionTable& regions, const Settings& settings);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// Gives the slabs back. All transfers and kernels have ended.
  ~Arena();

  // Any thread may call what follows.

  /// A block of the size's class, free for work on `user` at once and for others at free_at. nullptr: there is none of
  /// this readiness, and the arena may not grow or the driver has no more.
  Block* take(SizeClass size, const StreamState* user, Readiness readiness, bool may_grow);
  void give_back(Block& block) noexcept;
  /// The block that somebody may have at this place of a slab; valid only if it is the caller's.
  static Block* find(const Region& region, const void* pointer);

  /// True if memory whose last use is at `free_at` is as ready as that for a taker with the stream `user`.
  static bool serves(Position free_at, const StreamState* user, Readiness readiness) {
    if (free_at.stream == user || free_at.is_known_reached()) return true;
    return readiness == Readiness::any && !free_at.is_open_ended();
  }

  /// The latest positions, one of each stream, that free memory waits for.
  std::vector<Position> awaited() const;

  /// Takes a slab of this size for later, which is never given back. False: the driver has no more.
  bool reserve(std::size_t bytes);
  /// Bytes that are free, but for open-ended work.
  std::size_t open_ended_bytes() const;

  /// Gives back slabs that are wholly free, all but those that others may have mapped. Not while a stream of the
  /// process has open-ended work: then nothing happens.
  void trim() noexcept;
  /// The same of what nobody has needed since the last call.
  void trim_unneeded() noexcept;
  /// A payload of this size leaves the process: others of its size will, and get slabs of their own, so that those that
  /// never leave are in slabs that can be given back.
  void note_export(Region& region, std::size_t bytes);

  Facts facts() const;
  const Settings& settings() const { return settings_; }

 private:
  // Free ranges, smallest first; apart by whether their slab is for what leaves the process.
  using BySize = std::set<std::tuple<std::size_t, Slab*, std::size_t>>;  // bytes, slab, offset

  /// `brief`: of the pieces that may serve, a few. `all`: when the memory cannot grow any more.
  enum class Search : std::uint8_t { brief, all };
  Block* take_small(SizeClass size, const StreamState* user, Readiness readiness, bool may_grow);
  Block* take_listed(SizeClass size, const StreamState* user, Readiness readiness, Search search);
  Chunk* take_chunk(SizeClass size, const StreamState* user, Readiness readiness, bool may_grow);
  Chunk* cut(SizeClass size, const StreamState* user, Readiness readiness, bool leaves, Search search = Search::brief);
  Chunk& chunk_at(Slab& slab, std::size_t offset, SizeClass size, Position free_at);
  Block* pop(Chunk& chunk, Block* before = nullptr);
  Block* pop_served(Chunk& chunk, const StreamState* user, Readiness readiness, Search search);
  void end_chunk(Chunk& chunk, Position free_at);
  bool end_if_unused(Chunk& chunk);
  void list(Chunk& chunk);
  void unlist(Chunk& chunk);
  BlockArray& array_of(std::size_t count);

  void add_free(Slab& slab, std::size_t offset, Slab::Free range);
  void remove_free(Slab& slab, std::map<std::size_t, Slab::Free>::iterator range);
  bool merge_neighbours();
  Slab* grow(std::size_t bytes, bool leaves);
  Slab* add_slab(std::size_t bytes, bool leaves);
  template <class Function>
  void for_each_free(Function function) const;
  std::list<std::shared_ptr<Slab>> take_unused(std::size_t budget) noexcept;
  void forget_slab(Slab& slab) noexcept;
  void free_memory(const Slab& slab) noexcept;
  BySize& free_of(const Slab& slab) { return by_size_[slab.is_exported.load() ? 1 : 0]; }

  Driver& driver_;
  RegionTable& regions_;
  const Settings settings_;
  std::array<std::atomic<bool>, SizeClass::kCount> leaves_{};  // blocks of this size have left the process
  mutable std::mutex lock_;                                    // guards what follows
  std::list<std::shared_ptr<Slab>> slabs_;
  std::array<BySize, 2> by_size_;
  std::array<Chunk*, SizeClass::kCount> listed_{};  // small chunks with blocks that nobody has, by class
  std::deque<Chunk> chunks_;
  std::vector<Chunk*> unused_chunks_;
  std::deque<BlockArray> arrays_;
  std::map<std::size_t, std::vector<BlockArray*>> unused_arrays_;  // by capacity
  Facts facts_;
  std::size_t least_free_ = 0;  // bytes, since the last trim_unneeded()
};

}  // namespace kaon::gpu
