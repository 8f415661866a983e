// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mutex>
#include <vector>

namespace kaon::ampi {

/// Memory of a stack, which grows down from `highest` to `lowest`. Below that lies memory that nobody may touch.
struct StackMemory {
  std::byte* lowest = nullptr;
  std::size_t bytes = 0;
  std::byte* highest() const { return lowest + bytes; }
};

/// Stacks of one size, each above a guard that even a large object of a function does not reach over. The memory is
/// taken as it is touched; stacks that come back are kept for the next who needs one. For all PEs of a process.
class StackPool {
 public:
  /// `bytes` is rounded up to whole pages.
  explicit StackPool(std::size_t bytes);
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  std::size_t stack_bytes() const { return bytes_; }
  /// Below each stack.
  std::size_t guard_bytes() const { return guard_; }
  /// Throws OutOfMemory, which says what to do.
  StackMemory take();
  void give_back(StackMemory stack) noexcept;

 private:
  static constexpr std::size_t kMostKept = 64;

  void unmap(StackMemory stack) const noexcept;

  std::size_t bytes_;
  std::size_t guard_;
  std::mutex mutex_;
  std::vector<StackMemory> kept_;
};

}  // namespace kaon::ampi
