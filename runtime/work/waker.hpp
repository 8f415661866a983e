// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Wakes a sleeping PE: an eventfd that other threads write and its own polls beside the port's.
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
  Reason sleep(int port_fd, std::chrono::milliseconds at_most);

 private:
  int fd_;
};

}  // namespace kaon::runtime
