// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <signal.h>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

using SignalHandler = void (*)(int);

/// Also from a handler.
inline void set_signal_handler(int signal, SignalHandler handler, int flags = 0) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

inline SignalHandler signal_handler_of(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

/// Ends the process by the signal, as who waits for it then sees. Returns where none ends it: in process 1 of a
/// container.
inline void die_of(int signal) {
  set_signal_handler(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  raise(signal);  // this thread may have it blocked
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

}  // namespace kaon::runtime
