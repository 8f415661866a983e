// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/guarded_listeners.hpp"

#include <sys/socket.h>

namespace kaon::machine_ucx {
namespace {

std::uint64_t cookie_of(int socket) {
  std::uint64_t cookie = 0;
  socklen_t bytes = sizeof cookie;
  return getsockopt(socket, SOL_SOCKET, SO_COOKIE, &cookie, &bytes) == 0 ? cookie : 0;
}

}  // namespace

GuardedListeners& GuardedListeners::of_process() {
  static auto* const all = new GuardedListeners;  // UCX's thread may accept while static objects end
  return *all;
}

void GuardedListeners::add(int socket, const void* guard, const Secret& secret) {
  const std::lock_guard hold(lock_);
  listeners_.push_back({socket, cookie_of(socket), guard, secret});
}

void GuardedListeners::remove(const void* guard) {
  const std::lock_guard hold(lock_);
  std::erase_if(listeners_, [guard](const Listener& listener) { return listener.guard == guard; });
}

std::optional<Secret> GuardedListeners::secret_of(int socket) const {
  const std::lock_guard hold(lock_);
  if (listeners_.empty()) return std::nullopt;
  const std::uint64_t cookie = cookie_of(socket);
  for (const Listener& listener : listeners_)
    if (listener.socket == socket && listener.cookie == cookie) return listener.secret;
  return std::nullopt;
}

}  // namespace kaon::machine_ucx
