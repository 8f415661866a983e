// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "kaon/runtime/ports/secret.hpp"

struct pollfd;

namespace kaon::machine_ucx {

/// Accepts the connections to UCX's listening sockets, on a thread of its own, and passes those of the run on to UCX.
/// UCX itself accepts no connection while its PE opens one: two PEs that connect to each other would wait for each
/// other's code without end, while connections of strangers fill the system's queues.
class ConnectionAcceptor {
 public:
  static ConnectionAcceptor& of_process();

  /// Listens at `socket`. The descriptor becomes a queue of accepted connections, for take() and for poll(). Returns
  /// false, with `errno`, when that fails.
  bool listen(int socket, int backlog, const void* owner, const Secret& secret) noexcept;
  /// Closes the listening sockets of an owner.
  void close(const void* owner);
  static bool is_queue(int socket) noexcept;
  /// The next connection of a queue; -1, with EAGAIN, when there is none. Returns nothing for any other socket.
  static std::optional<int> take(int socket) noexcept;

 private:
  struct Listener {
    int socket;
    int queue;
    const void* owner;
    Secret secret;
    std::deque<int> answered;  // no limit: two PEs that wait for each other's answer must both get it
  };

  ConnectionAcceptor();
  bool add(int socket, const void* owner, const Secret& secret);
  void start();
  void serve();
  [[nodiscard]] std::vector<pollfd> awaited();
  [[nodiscard]] bool accept_all();
  [[nodiscard]] static bool accept_some(Listener& listener);

  std::mutex mutex_;  // of what follows
  std::vector<Listener> listeners_;
  int wake_;
  bool is_started_ = false;
};

}  // namespace kaon::machine_ucx
