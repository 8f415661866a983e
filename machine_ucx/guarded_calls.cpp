// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/guarded_calls.hpp"

#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstddef>
#include <string>

#include "kaon/machine_ucx/imported_functions.hpp"
#include "kaon/machine_ucx/socket_guard.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {
namespace {

// In the place of the functions of these names, for UCX alone.

int guarded_connect(int socket, const sockaddr* address, socklen_t bytes) {
  if (SocketGuard* guard = SocketGuard::current()) return guard->connect(socket, address, bytes);
  return ::connect(socket, address, bytes);
}

int guarded_listen(int socket, int backlog) {
  if (SocketGuard* guard = SocketGuard::current()) return guard->listen(socket, backlog);
  return ::listen(socket, backlog);
}

int guarded_accept(int listener, sockaddr* address, socklen_t* bytes) {
  return SocketGuard::accept(listener, address, bytes);
}

int guarded_getsockname(int socket, sockaddr* address, socklen_t* bytes) {
  if (const SocketGuard* guard = SocketGuard::current()) return guard->name(socket, address, bytes);
  return ::getsockname(socket, address, bytes);
}

// An address of the family alone asks the system for any that is free.
int guarded_bind(int socket, const sockaddr* address, socklen_t bytes) {
  SocketGuard* const guard = SocketGuard::current();
  if (guard != nullptr && address->sa_family == AF_UNIX && bytes == sizeof(sa_family_t))
    return guard->bind_datagrams(socket, address, bytes);
  return ::bind(socket, address, bytes);
}

int guarded_bind_of_listener(int socket, const sockaddr* address, socklen_t bytes) {
  if (SocketGuard* guard = SocketGuard::current()) return guard->bind_listener(socket, address, bytes);
  return ::bind(socket, address, bytes);
}

// UCX's transport sysv lets the group write. Whatever else uses UCX in this process has the same user.
int guarded_shmget(key_t key, std::size_t bytes, int flags) {
  return ::shmget(key, bytes, flags & ~(S_IRWXG | S_IRWXO));
}

void redirect(const char* library, const char* function, auto* replacement) {
  if (redirect_import(library, function, reinterpret_cast<void*>(replacement))) return;
  throw UsageError(std::string("the UCX that was found cannot be kept from strangers, as its ") + library +
                   " does not call " + function + "(): use another build of UCX");
}

bool redirect_all() {
  redirect("libucs", "connect", &guarded_connect);
  redirect("libucs", "bind", &guarded_bind_of_listener);
  redirect("libucs", "listen", &guarded_listen);
  redirect("libucs", "accept", &guarded_accept);
  redirect("libuct", "bind", &guarded_bind);
  redirect("libuct", "getsockname", &guarded_getsockname);
  redirect("libucs", "shmget", &guarded_shmget);
  return true;
}

}  // namespace

void guard_calls_of_ucx() { [[maybe_unused]] static const bool is_done = redirect_all(); }

}  // namespace kaon::machine_ucx
