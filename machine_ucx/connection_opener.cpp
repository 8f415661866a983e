// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/connection_opener.hpp"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "kaon/machine_ucx/socket_polls.hpp"
#include "kaon/runtime/ports/connection_code.hpp"

namespace kaon::machine_ucx {
namespace {

using std::chrono::milliseconds;

// A connection is lost where strangers fill the other end's queue. The system tries again after 1, 3, 7 and 15 s, and
// has its chance no oftener than that; so we give it up earlier, and begin another. The times are doubled, as there are
// slow networks. They are counted, as a process may be stopped for any time: 29 s.
constexpr milliseconds kFirstTime{250}, kLongestTime{2000};
constexpr int kAttempts = 16;
constexpr milliseconds kPause{10};  // until the next attempt, where the last was ended from there

enum class Attempt { succeeded, lost, closed, failed };

/// What the system says of a connection that was begun.
int error_of(int socket) {
  int error = ETIMEDOUT;
  socklen_t bytes = sizeof error;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes);
  return error;
}

Attempt connect_within(int socket, const sockaddr* address, socklen_t bytes, milliseconds time) {
  if (::connect(socket, address, bytes) == 0) return Attempt::succeeded;
  if (errno != EINPROGRESS) return Attempt::failed;
  errno = is_ready(socket, POLLOUT, time) ? error_of(socket) : ETIMEDOUT;
  if (errno == 0) return Attempt::succeeded;
  return errno == ETIMEDOUT ? Attempt::lost : Attempt::failed;
}

// Without a limit: where the other process is stopped or held by a debugger it answers later, and when it has ended,
// and its port is another's, the run ends.
Attempt exchange_codes(int socket, const Secret& secret) {
  if (!send_code(socket, ConnectionEnd::opened, secret)) return Attempt::closed;
  const Answer answer = take_answer(socket, secret, [socket] {
    static_cast<void>(is_ready(socket, POLLIN, milliseconds{-1}));
    return true;  // if poll() has failed, so does what comes next
  });
  if (answer == Answer::wrong) errno = ECONNREFUSED;
  if (answer == Answer::right) return Attempt::succeeded;
  return answer == Answer::wrong ? Attempt::failed : Attempt::closed;
}

Attempt attempt(int socket, const sockaddr* address, socklen_t bytes, const Secret& secret, milliseconds time) {
  const Attempt connecting = connect_within(socket, address, bytes, time);
  if (connecting != Attempt::succeeded) return connecting;
  return exchange_codes(socket, secret);
}

void disconnect(int socket) {
  const sockaddr none{AF_UNSPEC, {}};
  static_cast<void>(::connect(socket, &none, sizeof none));
}

}  // namespace

bool open_connection(int socket, const sockaddr* address, socklen_t bytes, const Secret& secret) noexcept {
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  milliseconds time = kFirstTime;
  for (int i = 0; i < kAttempts; ++i, time = std::min(2 * time, kLongestTime)) {
    const Attempt outcome = attempt(socket, address, bytes, secret, time);
    if (outcome == Attempt::succeeded || outcome == Attempt::failed) return outcome == Attempt::succeeded;
    disconnect(socket);
    if (outcome == Attempt::closed) poll(nullptr, 0, kPause.count());
  }
  errno = ETIMEDOUT;
  return false;
}

}  // namespace kaon::machine_ucx
