// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "kaon/runtime/ports/secret.hpp"

namespace kaon::machine_ucx {

/// The listening sockets of all guards of the process. A number of a descriptor may be given to another socket, so
/// each is known by the system's cookie, too.
class GuardedListeners {
 public:
  static GuardedListeners& of_process();

  void add(int socket, const void* guard, const Secret& secret);
  void remove(const void* guard);
  /// Secret of the run that it listens for; nothing if it is no guard's.
  std::optional<Secret> secret_of(int socket) const;

 private:
  struct Listener {
    int socket;
    std::uint64_t cookie;
    const void* guard;
    Secret secret;
  };

  mutable std::mutex lock_;  // UCX accepts on a thread of its own
  std::vector<Listener> listeners_;
};

}  // namespace kaon::machine_ucx
