// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/socket.h>

#include "kaon/runtime/ports/secret.hpp"

namespace kaon::machine_ucx {

/// Connects a socket of TCP to a ConnectionAcceptor of the run, and waits until both ends have proved that they belong
/// to it. The socket does not block from then on. Returns false, with `errno`, when that fails: with ECONNREFUSED also
/// when the program at the other end does not know the secret.
bool open_connection(int socket, const sockaddr* address, socklen_t bytes, const Secret& secret) noexcept;

}  // namespace kaon::machine_ucx
