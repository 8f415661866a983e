// SPDX-License-Identifier: Apache-2.0
// ThreadSanitizer does not look at this file (CMake says so), which tells it what to think of others.
#include "kaon/gpu/backends/host_order.hpp"

#if KAON_SANITIZES_THREADS
#include <sanitizer/tsan_interface.h>

#include <cstddef>

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}

namespace kaon::gpu {
namespace {

/// A thread of ThreadSanitizer's that never runs and knows what another one knew: at its last fence, or what it is to
/// know at its next one.
class Shadow {
 public:
  /// What it knows is told to who looks at `place`, or the other way round.
  void release_to(char* place) {
    as_shadow([place] { __tsan_release(place); });
  }
  void acquire_from(char* place) {
    as_shadow([place] { __tsan_acquire(place); });
  }
  /// It knows what the calling thread knows, and the other way round.
  void learn() {
    __tsan_release(&link_);
    acquire_from(&link_);
  }
  void teach() {
    release_to(&link_);
    __tsan_acquire(&link_);
  }

 private:
  template <class Function>
  void as_shadow(Function function) {
    if (own_ == nullptr) own_ = __tsan_create_fiber(0);
    void* const user = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_, __tsan_switch_to_fiber_no_sync);
    function();
    __tsan_switch_to_fiber(user, __tsan_switch_to_fiber_no_sync);
  }
  void* own_ = nullptr;
  char link_ = 0;
};

struct Watched {
  void* thread;  // ThreadSanitizer's
  bool is_of_device;
  Shadow fenced_for_device, fenced_for_all;  // what was done before its last fences
  Shadow seen_of_device, seen_of_all;        // what its loads have met since
};

constexpr std::size_t kMost = 1U << 16;  // threads and fibres of a process, whose places are used again
Watched all_watched[kMost];
char lock;

// Not by what other sources use too: that would be compiled for ThreadSanitizer there, and order what must not be.
Watched& watched() noexcept {
  void* const thread = __tsan_get_current_fiber();
  std::size_t at = reinterpret_cast<std::size_t>(thread) / 64 * 0x9E3779B97F4A7C15U % kMost;
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) continue;
  while (all_watched[at].thread != nullptr && all_watched[at].thread != thread) at = (at + 1) % kMost;
  all_watched[at].thread = thread;
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  return all_watched[at];
}

// A word is known by three addresses: those of the orders of atomic accesses proper, of a device, and of all.
char* proper(const void* word) { return static_cast<char*>(const_cast<void*>(word)); }
char* of_device(const void* word) { return proper(word) + 1; }
char* of_all(const void* word) { return proper(word) + 2; }

}  // namespace

void HostOrder::enter_device() noexcept { watched().is_of_device = true; }

void HostOrder::fence(bool for_all) noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Watched& self = watched();
  if (self.is_of_device) self.seen_of_device.teach();
  if (for_all || !self.is_of_device) self.seen_of_all.teach();
  if (self.is_of_device) self.fenced_for_device.learn();
  if (for_all || !self.is_of_device) self.fenced_for_all.learn();
}

void HostOrder::before_store(const void* word) noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Watched& self = watched();
  if (self.is_of_device) self.fenced_for_device.release_to(of_device(word));
  self.fenced_for_all.release_to(of_all(word));
}

void HostOrder::after_load(const void* word) noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Watched& self = watched();
  if (self.is_of_device) {
    self.seen_of_device.acquire_from(of_device(word));
    self.seen_of_device.acquire_from(proper(word));
  }
  self.seen_of_all.acquire_from(of_all(word));
  self.seen_of_all.acquire_from(proper(word));
}

void HostOrder::before_release(const void* word, bool for_all) noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  const bool is_of_device = watched().is_of_device;
  if (is_of_device) __tsan_release(of_device(word));
  if (for_all || !is_of_device) __tsan_release(of_all(word));
}

void HostOrder::after_acquire(const void* word, bool for_all) noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  const bool is_of_device = watched().is_of_device;
  if (is_of_device) __tsan_acquire(of_device(word));
  if (for_all || !is_of_device) __tsan_acquire(of_all(word));
  __tsan_acquire(proper(word));
}

}  // namespace kaon::gpu
#endif
