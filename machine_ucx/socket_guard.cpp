// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/socket_guard.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "kaon/machine_ucx/guarded_calls.hpp"
#include "kaon/machine_ucx/guarded_listeners.hpp"
#include "kaon/runtime/ports/connection_code.hpp"

namespace kaon::machine_ucx {
namespace {

constexpr int kConnectMs = 30000;     // of a connection that UCX was told not to wait for
constexpr int kSilentSeconds = 30;    // for which the system itself keeps a connection that has sent nothing
constexpr int kCodesMs = 5;           // in a call, for codes that have not come with their connections: see take_code()
constexpr int kShortageMs = 10;       // of descriptors: until one is looked for again
constexpr int kStrangersAtOnce = 64;  // closed in one call

using Clock = std::chrono::steady_clock;

bool is_internet(int family) { return family == AF_INET || family == AF_INET6; }

// Which both families have in the same place.
bool is_any_port(const sockaddr* address) {
  return is_internet(address->sa_family) && reinterpret_cast<const sockaddr_in*>(address)->sin_port == 0;
}

bool is_stream_of_internet(int socket) {
  int family = 0, type = 0;
  socklen_t bytes = sizeof family;
  return getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &bytes) == 0 && is_internet(family) &&
         getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_STREAM;
}

bool is_ready(int socket, short events, int limit_ms) {
  pollfd polled{socket, events, 0};
  int ready = 0;
  while ((ready = poll(&polled, 1, limit_ms)) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

/// Waits for a connection that goes on in the background: UCX would send first.
bool finish_connecting(int socket) {
  int error = ETIMEDOUT;
  socklen_t bytes = sizeof error;
  if (is_ready(socket, POLLOUT, kConnectMs)) getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes);
  errno = error;
  return error == 0;
}

bool send_code(int socket, const Secret& secret) {
  const auto code = own_code(socket, ConnectionEnd::opened, secret);
  if (!code) return false;
  ssize_t sent = 0;
  do sent = ::send(socket, code->data(), code->size(), MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(code->size());
}

/// Whether the connection begins with the right code, which is taken from it. The system accepts connections with their
/// first bytes (TCP_DEFER_ACCEPT), but for when it is flooded with connections and keeps none in mind. Then a true one
/// may be closed before its code is here, and UCX opens it again: who waited for the codes of thousands of strangers
/// would be held up for longer.
bool take_code(int socket, const Secret& secret, int limit_ms) {
  const auto expected = expected_code(socket, ConnectionEnd::accepted, secret);
  if (!expected || !is_ready(socket, POLLIN, limit_ms)) return false;
  ConnectionCode code{};
  return recv(socket, code.data(), code.size(), MSG_DONTWAIT) == static_cast<ssize_t>(code.size()) &&
         is_same(code, *expected);
}

int ms_to(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(left, 0));
}

/// A datagram that is not of one byte is dropped; it neither wakes nor is it read. An empty one ends a process of UCX.
bool take_single_bytes(int socket) {
  std::array<sock_filter, 4> program{{BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1), BPF_STMT(BPF_RET | BPF_K, 1),
                                      BPF_STMT(BPF_RET | BPF_K, 0)}};
  const sock_fprog filter{program.size(), program.data()};
  const int locked = 1;
  return setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0 &&
         setsockopt(socket, SOL_SOCKET, SO_LOCK_FILTER, &locked, sizeof locked) == 0;
}

/// Of strangers without end the calling thread has had enough: the others are for the next call.
int nothing_to_accept() {
  errno = EAGAIN;
  return -1;
}

/// UCX listens no more after any other error than that there is nothing to accept.
int failure_to_accept() {
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) poll(nullptr, 0, kShortageMs);
  return nothing_to_accept();
}

}  // namespace

SocketGuard::SocketGuard(const Secret& secret, std::string folder, PeId pe)
    : secret_(secret), folder_(std::move(folder)), pe_(pe) {
  guard_calls_of_ucx();
}

SocketGuard::~SocketGuard() {
  GuardedListeners::of_process().remove(this);
  for (int i = 0; i < datagram_sockets_; ++i) unlink(path_of(i).c_str());
}

int SocketGuard::connect(int socket, const sockaddr* address, socklen_t bytes) noexcept {
  const int result = ::connect(socket, address, bytes);
  if (!is_internet(address->sa_family) || !is_stream_of_internet(socket)) return result;
  if (result != 0 && errno == EADDRNOTAVAIL) lacks_ports_ = true;
  if (result != 0 && (errno != EINPROGRESS || !finish_connecting(socket))) return -1;
  return send_code(socket, secret_) ? 0 : -1;
}

// UCX would ask for a port again and again, without end.
int SocketGuard::bind_listener(int socket, const sockaddr* address, socklen_t bytes) noexcept {
  const int result = ::bind(socket, address, bytes);
  if (result == 0 || errno != EADDRINUSE || !is_any_port(address)) return result;
  lacks_ports_ = true;
  errno = EADDRNOTAVAIL;
  return -1;
}

int SocketGuard::listen(int socket, int backlog) noexcept {
  if (is_stream_of_internet(socket)) {
    setsockopt(socket, IPPROTO_TCP, TCP_DEFER_ACCEPT, &kSilentSeconds, sizeof kSilentSeconds);
    GuardedListeners::of_process().add(socket, this, secret_);
  }
  return ::listen(socket, backlog);
}

int SocketGuard::accept(int listener, sockaddr* address, socklen_t* bytes) noexcept {
  const auto secret = GuardedListeners::of_process().secret_of(listener);
  if (!secret) return ::accept(listener, address, bytes);
  const socklen_t room = bytes != nullptr ? *bytes : 0;
  const auto until = Clock::now() + std::chrono::milliseconds(kCodesMs);
  for (int strangers = 0; strangers < kStrangersAtOnce; ++strangers) {
    if (bytes != nullptr) *bytes = room;
    const int socket = ::accept(listener, address, bytes);
    if (socket < 0) return failure_to_accept();
    if (take_code(socket, *secret, ms_to(until))) return socket;
    close(socket);
  }
  return nothing_to_accept();
}

int SocketGuard::bind_datagrams(int socket, const sockaddr* any, socklen_t bytes) noexcept {
  const bool is_filtered = take_single_bytes(socket);  // which sandboxes may not have
  if (bind_in_folder(socket)) return 0;
  return is_filtered ? ::bind(socket, any, bytes) : -1;
}

std::string SocketGuard::path_of(int number) const {
  return folder_ + "/wake-" + std::to_string(pe_) + "-" + std::to_string(number);
}

bool SocketGuard::bind_in_folder(int socket) {
  const std::string path = path_of(datagram_sockets_);
  sockaddr_un address{AF_UNIX, {}};
  if (folder_.empty() || path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  unlink(path.c_str());  // of a session before
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return false;
  ++datagram_sockets_;
  return true;
}

}  // namespace kaon::machine_ucx
