// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#if KAON_SANITIZES_ADDRESSES || KAON_SANITIZES_THREADS
#include <sanitizer/common_interface_defs.h>
#endif
#if KAON_SANITIZES_ADDRESSES
#include <sanitizer/asan_interface.h>
#endif
#if KAON_SANITIZES_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace kaon::gpu {

/// Tells the sanitizers which stack a thread goes over to. CMake defines KAON_SANITIZES_ADDRESSES or
/// KAON_SANITIZES_THREADS as 1 for the sources that change stacks; without them all of this is nothing.
///
/// Whoever changes to the stack calls enter() before and left() after; what runs on it calls entered() when it comes
/// and leave(), or leave_for_good(), before it goes.
class SanitizedStack {
 public:
  /// The order between the code on the stack and its user: with `of_one_thread` each sees what the other has done, as
  /// in one thread. Emulated threads of a device use `none`: their own barriers and flags must order them.
  enum class Order : bool { none, of_one_thread };
  SanitizedStack() = default;
  SanitizedStack(const SanitizedStack&) = delete;
  SanitizedStack& operator=(const SanitizedStack&) = delete;

#if KAON_SANITIZES_ADDRESSES
  explicit SanitizedStack(Order) {}
  /// The frames that were left for good are still marked, and other memory may be mapped there next.
  ~SanitizedStack() { __asan_unpoison_memory_region(bottom_, bytes_); }
  void use(const std::byte* lowest, std::size_t bytes) { bottom_ = lowest, bytes_ = bytes; }
  void enter() { __sanitizer_start_switch_fiber(&user_frames_, bottom_, bytes_); }
  void left() { __sanitizer_finish_switch_fiber(user_frames_, nullptr, nullptr); }
  void entered() { __sanitizer_finish_switch_fiber(frames_, &user_bottom_, &user_bytes_); }
  void leave() { __sanitizer_start_switch_fiber(&frames_, user_bottom_, user_bytes_); }
  void leave_for_good() { __sanitizer_start_switch_fiber(nullptr, user_bottom_, user_bytes_); }

 private:
  const std::byte* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  const void* user_bottom_ = nullptr;
  std::size_t user_bytes_ = 0;
  void* frames_ = nullptr;  // AddressSanitizer's own, of this stack and of the one it was entered from
  void* user_frames_ = nullptr;
#elif KAON_SANITIZES_THREADS
  explicit SanitizedStack(Order order)
      : flags_(order == Order::of_one_thread ? 0U : unsigned{__tsan_switch_to_fiber_no_sync}) {}
  ~SanitizedStack() { __tsan_destroy_fiber(own_); }
  void use(const std::byte*, std::size_t) {}
  void enter() {
    user_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_, flags_);
  }
  void left() {}
  void entered() {}
  void leave() { __tsan_switch_to_fiber(user_, flags_); }
  void leave_for_good() { leave(); }

 private:
  unsigned flags_ = __tsan_switch_to_fiber_no_sync;
  void* own_ = __tsan_create_fiber(0);
  void* user_ = nullptr;
#else
  explicit SanitizedStack(Order) {}
  ~SanitizedStack() = default;
  void use(const std::byte*, std::size_t) {}
  void enter() {}
  void left() {}
  void entered() {}
  void leave() {}
  void leave_for_good() {}
#endif
};

}  // namespace kaon::gpu
