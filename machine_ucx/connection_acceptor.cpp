// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/connection_acceptor.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>

#include "kaon/machine_ucx/socket_polls.hpp"
#include "kaon/runtime/ports/connection_code.hpp"

namespace kaon::machine_ucx {
namespace {

constexpr int kSilentSeconds = 30;    // for which the system itself keeps a connection that has sent nothing
constexpr int kShortageMs = 10;       // of descriptors: until one is looked for again
constexpr int kStrangersAtOnce = 64;  // closed before other sockets have their turn
// Time for codes that have not come with their connections, for all that are accepted in one turn. The system holds a
// connection back until its first bytes are there (TCP_DEFER_ACCEPT), except in a flood, which it answers with cookies.
// Then a connection of the run may be closed before its code arrives, and its opener connects again. To wait longer,
// for the codes of thousands of strangers, would delay the run's connections more.
constexpr std::chrono::milliseconds kCodes{1};

using Clock = std::chrono::steady_clock;

bool take_code(int socket, const Secret& secret, Clock::time_point until) {
  const auto expected = expected_code(socket, ConnectionEnd::accepted, secret);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  if (!expected || !is_ready(socket, POLLIN, std::max(left, std::chrono::milliseconds{0}))) return false;
  ConnectionCode code{};
  return recv(socket, code.data(), code.size(), MSG_DONTWAIT) == static_cast<ssize_t>(code.size()) &&
         is_same(code, *expected);
}

/// A message of one byte with a descriptor.
struct Passage {
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
  msghdr header{nullptr, 0, &text, 1, control, sizeof control, 0};
};

// The system keeps what is in a queue until it is taken, and closes it with the queue. False: the queue is full.
bool pass_on(int queue, int connection) {
  Passage passage;
  cmsghdr* const head = CMSG_FIRSTHDR(&passage.header);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof connection);
  std::memcpy(CMSG_DATA(head), &connection, sizeof connection);
  const ssize_t count = sendmsg(queue, &passage.header, MSG_NOSIGNAL | MSG_DONTWAIT);
  return count > 0 || (errno != EAGAIN && errno != ETOOMANYREFS);  // any other error: UCX has closed its end
}

bool is_shortage(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

}  // namespace

ConnectionAcceptor& ConnectionAcceptor::of_process() {
  static auto* const all = new ConnectionAcceptor;  // whose thread goes on while static objects end
  return *all;
}

ConnectionAcceptor::ConnectionAcceptor() : wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

bool ConnectionAcceptor::listen(int socket, int backlog, const void* owner, const Secret& secret) noexcept {
  setsockopt(socket, IPPROTO_TCP, TCP_DEFER_ACCEPT, &kSilentSeconds, sizeof kSilentSeconds);
  if (wake_ < 0 || ::listen(socket, backlog) != 0) return false;
  try {
    return add(socket, owner, secret);
  } catch (const std::exception&) {  // no memory, or no thread
    errno = EAGAIN;
    return false;
  }
}

bool ConnectionAcceptor::add(int socket, const void* owner, const Secret& secret) {
  const std::lock_guard hold(mutex_);
  start();
  listeners_.reserve(listeners_.size() + 1);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return false;
  const int listener = fcntl(socket, F_DUPFD_CLOEXEC, 0);
  const bool is_moved =
      listener >= 0 && fcntl(listener, F_SETFL, O_NONBLOCK) == 0 && dup3(ends[0], socket, O_CLOEXEC) >= 0;
  ::close(ends[0]);
  if (!is_moved) {
    ::close(ends[1]);
    if (listener >= 0) ::close(listener);
    return false;
  }
  listeners_.push_back({listener, ends[1], owner, secret, {}});
  return eventfd_write(wake_, 1) == 0;
}

void ConnectionAcceptor::close(const void* owner) {
  const std::lock_guard hold(mutex_);
  const auto is_owned = [owner](const Listener& listener) { return listener.owner == owner; };
  for (const Listener& listener : listeners_) {
    if (!is_owned(listener)) continue;
    ::close(listener.socket);
    ::close(listener.queue);
    for (const int connection : listener.answered) ::close(connection);
  }
  std::erase_if(listeners_, is_owned);
  static_cast<void>(eventfd_write(wake_, 1));
}

// UCX's own sockets of this family are of datagrams.
bool ConnectionAcceptor::is_queue(int socket) noexcept {
  return option(socket, SO_DOMAIN) == AF_UNIX && option(socket, SO_TYPE) == SOCK_STREAM;
}

std::optional<int> ConnectionAcceptor::take(int socket) noexcept {
  if (!is_queue(socket)) return std::nullopt;
  Passage passage;
  ssize_t count = 0;
  while ((count = recvmsg(socket, &passage.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)) < 0 && errno == EINTR) {
  }
  const cmsghdr* const head = count > 0 ? CMSG_FIRSTHDR(&passage.header) : nullptr;
  if (head == nullptr) {
    errno = EAGAIN;  // UCX listens no more after any other error
    return -1;
  }
  int connection = -1;
  std::memcpy(&connection, CMSG_DATA(head), sizeof connection);
  return connection;
}

// Signals are for the threads of the program.
void ConnectionAcceptor::start() {
  if (is_started_) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] { serve(); }).detach();
    is_started_ = true;
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!is_started_) throw std::system_error(EAGAIN, std::generic_category());
}

void ConnectionAcceptor::serve() {
  for (;;) {
    std::vector<pollfd> polled = awaited();
    if (poll(polled.data(), polled.size(), -1) < 0) continue;
    eventfd_t count = 0;
    static_cast<void>(eventfd_read(wake_, &count));
    if (!accept_all()) poll(nullptr, 0, kShortageMs);
  }
}

std::vector<pollfd> ConnectionAcceptor::awaited() {
  const std::lock_guard hold(mutex_);
  std::vector<pollfd> polled{{wake_, POLLIN, 0}};
  for (const Listener& listener : listeners_) {
    polled.push_back({listener.socket, POLLIN, 0});
    if (!listener.answered.empty()) polled.push_back({listener.queue, POLLOUT, 0});
  }
  return polled;
}

// False: the process has no descriptor left for who waits.
bool ConnectionAcceptor::accept_all() {
  const std::lock_guard hold(mutex_);
  bool has_room = true;
  for (Listener& listener : listeners_) {
    has_room = accept_some(listener) && has_room;
    while (!listener.answered.empty() && pass_on(listener.queue, listener.answered.front())) {
      ::close(listener.answered.front());
      listener.answered.pop_front();
    }
  }
  return has_room;
}

bool ConnectionAcceptor::accept_some(Listener& listener) {
  const auto until = Clock::now() + kCodes;
  for (int i = 0; i < kStrangersAtOnce; ++i) {
    const int connection = accept4(listener.socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) return !is_shortage(errno);
    if (take_code(connection, listener.secret, until) &&
        send_code(connection, ConnectionEnd::accepted, listener.secret))
      listener.answered.push_back(connection);
    else
      ::close(connection);
  }
  return true;
}

}  // namespace kaon::machine_ucx
