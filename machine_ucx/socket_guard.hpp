// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/socket.h>

#include <string>
#include <utility>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/ports/secret.hpp"

namespace kaon::machine_ucx {

/// Keeps strangers from the sockets that UCX opens for one worker. UCX takes connections and datagrams of anybody, and
/// does what they say: writes memory, ends the process. So its calls of the system are redirected (GuardedCalls):
///
/// - A connection begins with an authentication code of the end that has opened it, and goes on with one of the other
///   end. Where either is missing it is closed before UCX sees it, so nothing but the run's secret leads to UCX's
///   protocol, and nothing is sent to who does not know it (ConnectionAcceptor).
/// - Its sockets of datagrams, by which processes of a host wake each other, are in the run's folder, where other users
///   find nothing, and take datagrams of one byte, as UCX sends.
///
/// Calls are those of the worker while a Scope of the guard is alive on the calling thread: other users of UCX in the
/// process, as an MPI, are left alone.
class SocketGuard {
 public:
  /// `folder` is the run's in shared memory; empty: there is none. Throws UsageError if UCX cannot be guarded.
  SocketGuard(const Secret& secret, std::string folder, PeId pe);
  /// After the worker has closed its sockets.
  ~SocketGuard();
  SocketGuard(const SocketGuard&) = delete;
  SocketGuard& operator=(const SocketGuard&) = delete;

  class Scope;

  /// True if the system has had no port for a socket.
  [[nodiscard]] bool lacks_ports() const noexcept { return lacks_ports_; }

  // What follows is for GuardedCalls, with the results of the functions of the system.

  /// The guard of the calling thread's scope, or nullptr.
  static SocketGuard* current() noexcept { return current_; }
  int connect(int socket, const sockaddr* address, socklen_t bytes) noexcept;
  int bind_listener(int socket, const sockaddr* address, socklen_t bytes) noexcept;
  int listen(int socket, int backlog) noexcept;
  int bind_datagrams(int socket, const sockaddr* any, socklen_t bytes) noexcept;
  /// A listening socket keeps its name when it becomes a queue.
  int name(int socket, sockaddr* address, socklen_t* bytes) const noexcept;
  /// Any thread, of any listening socket: nothing but what the system does if it is no guard's.
  static int accept(int listener, sockaddr* address, socklen_t* bytes) noexcept;

 private:
  [[nodiscard]] std::string path_of(int datagram_socket) const;
  bool bind_in_folder(int socket);

  struct Listener {
    int socket = -1;
    sockaddr_storage name{};
    socklen_t bytes = 0;
  };

  static constinit inline thread_local SocketGuard* current_ = nullptr;

  const Secret secret_;
  const std::string folder_;
  const PeId pe_;
  int datagram_sockets_ = 0;
  bool lacks_ports_ = false;
  Listener listener_;  // the last one, of which UCX asks the name at once
};

class SocketGuard::Scope {
 public:
  explicit Scope(SocketGuard& guard) : outer_(std::exchange(current_, &guard)) {}
  ~Scope() { current_ = outer_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  SocketGuard* outer_;
};

}  // namespace kaon::machine_ucx
