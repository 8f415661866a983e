// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// Something that happens once, and that one thread waits for or looks at while others go on.
class Meeting {
 public:
  void happen() {
    const std::lock_guard hold(mutex_);
    has_happened_.store(true, std::memory_order_release);
    changed_.notify_all();
  }
  // Never blocks. Acquires what was done before it happened.
  [[nodiscard]] bool has_happened() const { return has_happened_.load(std::memory_order_acquire); }
  // False: not within `limit`.
  [[nodiscard]] bool wait(std::chrono::milliseconds limit) {
    std::unique_lock hold(mutex_);
    return changed_.wait_for(hold, limit, [this] { return has_happened(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> has_happened_ = false;
};

}  // namespace kaon::launch
