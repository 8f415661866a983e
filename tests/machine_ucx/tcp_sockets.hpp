// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>

#include "kaon/machine_ucx/socket_polls.hpp"
#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/ports/connection_code.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

inline launch::Descriptor tcp_socket(int flags = 0) {
  return launch::Descriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

/// A socket of the loopback interface that has a port, and does not listen yet.
struct BoundSocket {
  launch::Descriptor socket = tcp_socket();
  sockaddr_in port{AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {}};

  BoundSocket() {
    socklen_t bytes = sizeof port;
    REQUIRE(bind(socket.number(), address(), bytes) == 0);
    REQUIRE(getsockname(socket.number(), address(), &bytes) == 0);
  }
  [[nodiscard]] sockaddr* address() { return reinterpret_cast<sockaddr*>(&port); }
  /// Not open if no connection comes.
  [[nodiscard]] launch::Descriptor accept() const {
    const bool has_come = is_ready(socket.number(), POLLIN, std::chrono::milliseconds{20000});
    return launch::Descriptor(has_come ? ::accept(socket.number(), nullptr, nullptr) : -1);
  }
};

/// Takes the code of a connection, and answers as the process does that it was opened to. False: it has sent none.
inline bool answer_connection(const launch::Descriptor& connection, const Secret& secret) {
  ConnectionCode code{};
  if (recv(connection.number(), code.data(), code.size(), MSG_WAITALL) != static_cast<ssize_t>(code.size()))
    return false;
  const auto answer = own_code(connection.number(), ConnectionEnd::accepted, secret);
  return answer && send(connection.number(), answer->data(), answer->size(), MSG_NOSIGNAL) > 0;
}

}  // namespace kaon::testing
