// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/base/sanitizers.hpp"

namespace kaon::runtime {

/// Memory of one PE: messages, coroutine frames and records in classes of 64 bytes up to kMaxSmall, payload buffers in
/// powers of two up to kMaxLarge, beyond that the heap. Blocks are 64-byte aligned and never cleared. A block that
/// another PE lets go travels home in a chain with others, so that a PE that only sends does not run dry and one that
/// only receives does not hoard.
///
/// Where AddressSanitizer is in the process every block is the heap's, so that mistakes with it are found. That is seen
/// as a pool is made, and by no macro: these functions are compiled into programs, with or without a sanitizer, and
/// meet blocks of a library that was compiled otherwise.
class Pool {
 public:
  static constexpr std::size_t kGranule = 64;
  static constexpr std::size_t kMaxSmall = 2048;
  static constexpr std::size_t kMaxLarge = std::size_t{64} << 20;
  static constexpr std::size_t kMaxKept = std::size_t{256} << 20;  // bytes of free large blocks that are kept

  /// Number `home` among the pools of its process, that of PE `owner`. `siblings` are all of them, by number.
  explicit Pool(std::uint16_t home = 0, PeId owner = 0, Pool* const* siblings = nullptr)
      : home_(home), owner_(owner), siblings_(siblings) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  std::uint16_t home() const { return home_; }
  /// The PE whose memory this is.
  PeId owner() const { return owner_; }

  void* allocate(std::size_t bytes) {
    if (!is_small(bytes)) return allocate_large(bytes);
    Free*& list = free_[class_of(bytes)];
    if (list == nullptr) [[unlikely]]
      refill(class_of(bytes));
    Free* block = list;
    list = block->next;
    return block;
  }

  /// Takes back a block of this pool; `bytes` as at allocate.
  void release(void* memory, std::size_t bytes) noexcept {
    if (!is_small(bytes)) return release_large(memory, bytes);
    auto* block = static_cast<Free*>(memory);
    block->next = free_[class_of(bytes)];
    free_[class_of(bytes)] = block;
  }

  /// Takes back a block of the process' pool number `home`; if that is another PE's, it goes home with the next chain.
  void release_to(std::uint16_t home, void* memory, std::size_t bytes) noexcept {
    if (home == home_)
      release(memory, bytes);
    else
      release_foreign(memory, bytes, *siblings_[home]);
  }
  /// Takes a block of another pool of the process.
  void release_foreign(void* memory, std::size_t bytes, Pool& owner) noexcept;
  /// Sends home what waits to go. Called when the PE has nothing else to do.
  void send_chains_home() noexcept;

 private:
  struct Free {
    Free* next;
    std::size_t size_class;  // set only while travelling home
  };
  struct Chain {  // blocks on their way to one other pool
    Pool* owner;
    Free* first;
    Free* last;
    unsigned length;
  };
  static constexpr std::size_t kSmallClasses = kMaxSmall / kGranule + 1;
  static constexpr std::size_t kLargeClasses = 15;  // 4 KiB to 64 MiB
  static constexpr std::size_t kSlabBytes = std::size_t{64} << 10;
  static constexpr unsigned kChainLength = 32;

  bool is_small(std::size_t bytes) const { return bytes < small_end_; }
  bool is_pooled(std::size_t bytes) const { return small_end_ != 0 && bytes <= kMaxLarge; }
  static constexpr std::size_t class_of(std::size_t bytes) { return (bytes + kGranule - 1) / kGranule; }
  static std::size_t large_class_of(std::size_t bytes);
  void* allocate_large(std::size_t bytes);
  void release_large(void* memory, std::size_t bytes) noexcept;
  void keep(Free* block, std::size_t size_class) noexcept;
  void refill(std::size_t size_class);
  bool take_returned();
  static void send_home(Chain& chain) noexcept;

  const std::size_t small_end_ = has_address_sanitizer() ? 0 : kMaxSmall + 1;  // 0: every block is the heap's
  std::array<Free*, kSmallClasses + kLargeClasses> free_{};
  std::size_t kept_bytes_ = 0;  // in free large blocks
  std::vector<Chain> chains_;
  std::vector<void*> slabs_;
  std::uint16_t home_;
  PeId owner_;
  Pool* const* siblings_;
  alignas(64) std::atomic<Free*> returned_{nullptr};  // chains that came home; others push, the owner takes all
};

}  // namespace kaon::runtime
