// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

/// The exceptions of a thread in the C++ ABI: those that are caught and not yet left, and the number on their way.
struct CaughtExceptions {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

/// The state that the C and C++ libraries keep of a thread for which ranks take turns, looked up once a thread.
class RunningThread {
 public:
  static const RunningThread& here() noexcept {
    if (here_.error == nullptr) [[unlikely]]
      look();
    return here_;
  }

  int* error = nullptr;  // errno
  CaughtExceptions* exceptions = nullptr;

 private:
  static void look() noexcept;
  static thread_local RunningThread here_;
};

inline constinit thread_local RunningThread RunningThread::here_;

}  // namespace kaon::ampi
