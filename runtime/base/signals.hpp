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

}  // namespace kaon::runtime
