// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The state of one thread: whether and how it sleeps, and whether it has been woken. With it a waker makes a system
/// call only for a thread that sleeps. `Atomic` is a parameter so that a model checker can run this very code.
///
/// Values of the word:   quiet     the sleeper is awake, and nobody has woken it
///                       woken     it has been woken, and has yet to see it
///                       waits     it sleeps on the word itself, or is about to: the system compares first
///                       polls     it sleeps on descriptors, or is about to
template <template <class> class Atomic = std::atomic>
class BasicWakeWord {
 public:
  enum State : std::uint32_t { quiet, woken, waits, polls };

  /// Notes the wake-up and returns what the sleeper did, which says how to wake it. Any thread.
  State wake() {
    // release: the sleeper sees what was done before
    return state_.exchange(woken, std::memory_order_release);
  }

  /// False: it has been woken already, and does not sleep. Sleeper only.
  [[nodiscard]] bool begin(State how) {
    State expected = quiet;
    if (state_.compare_exchange_strong(expected, how, std::memory_order_relaxed, std::memory_order_relaxed))
      return true;
    end();
    return false;
  }
  /// True: it was woken. Sleeper only.
  bool end() {
    // acquire: pairs with the release of who woke it
    return state_.exchange(quiet, std::memory_order_acquire) == woken;
  }

  Atomic<State>& word() { return state_; }

 private:
  Atomic<State> state_{quiet};
};

using WakeWord = BasicWakeWord<>;

}  // namespace kaon::runtime
