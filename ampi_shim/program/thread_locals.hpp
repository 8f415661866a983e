// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>

namespace kaon::ampi {

/// Where a program's thread-local variables are, and how much of it. Code of an executable has their distances from the
/// thread pointer built in, so for the program they are where this executable's own ones would be. Those of ampirun are
/// laid out so that a window that nothing else uses stands there.
struct ThreadLocalBlock {
  std::size_t bytes = 0;
  std::ptrdiff_t offset = 0;  // from the thread pointer

  std::byte* here() const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::ptrdiff_t>(__builtin_thread_pointer()) + offset);
  }
};

/// The block of a program with so many bytes; `problem` says why it cannot have them, empty when it can.
struct ThreadLocalFit {
  ThreadLocalBlock block;
  const char* problem = nullptr;
};
ThreadLocalFit fit_thread_locals(std::size_t bytes, std::size_t alignment);

/// Bytes that a program's thread-local variables can have, 0 when this executable was linked in another order.
std::size_t thread_local_capacity();

/// The thread-local variables of one rank. While the rank runs they are in the window, else here.
class ThreadLocals {
 public:
  /// `initial` are the values of the first variables, the others are 0.
  ThreadLocals(ThreadLocalBlock block, std::span<const std::byte> initial);

  bool empty() const { return block_.bytes == 0; }
  void bring_in() const noexcept {
    if (!empty()) copy(block_.here(), kept_.get());
  }
  void take_out() noexcept {
    if (!empty()) copy(kept_.get(), block_.here());
  }
  /// Their places in the window.
  std::span<const std::byte> window() const noexcept {
    return {block_.bytes != 0 ? block_.here() : nullptr, block_.bytes};
  }

 private:
  void copy(std::byte* to, const std::byte* from) const noexcept;

  ThreadLocalBlock block_;
  std::unique_ptr<std::byte[]> kept_;
};

}  // namespace kaon::ampi
