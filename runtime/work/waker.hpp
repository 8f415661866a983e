// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/work/wake_word.hpp"

namespace kaon::runtime {

/// Wakes a sleeping PE. One that has a port polls its descriptor beside an eventfd that other threads write; one
/// without sleeps on a word of memory, which takes a call of the system less.
class Waker {
 public:
  Waker();
  ~Waker();
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  /// Any thread.
  void wake() noexcept;
  enum class Reason { signalled, port, time_out };
  /// Sleeps until woken, until `port_fd` is readable (-1: none) or until the time is over.
  Reason sleep(int port_fd, std::chrono::nanoseconds at_most);

 private:
  void wait(std::chrono::nanoseconds at_most);
  bool poll(int port_fd, std::chrono::nanoseconds at_most);

  WakeWord word_;
  int fd_;
};

}  // namespace kaon::runtime
