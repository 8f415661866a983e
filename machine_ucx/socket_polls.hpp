// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>

namespace kaon::machine_ucx {

/// True if one of the events comes within `wait`. By default it polls once.
inline bool is_ready(int socket, short events, std::chrono::milliseconds wait = {}) {
  pollfd polled{socket, events, 0};
  int ready = 0;
  while ((ready = poll(&polled, 1, static_cast<int>(wait.count()))) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

/// An option of a socket that is a number; -1: `socket` is none.
inline int option(int socket, int name) {
  int value = -1;
  socklen_t bytes = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &bytes) == 0 ? value : -1;
}

}  // namespace kaon::machine_ucx
