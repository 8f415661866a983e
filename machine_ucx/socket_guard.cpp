// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/socket_guard.hpp"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "kaon/machine_ucx/connection_acceptor.hpp"
#include "kaon/machine_ucx/connection_opener.hpp"
#include "kaon/machine_ucx/guarded_calls.hpp"
#include "kaon/machine_ucx/socket_polls.hpp"

namespace kaon::machine_ucx {
namespace {

bool is_internet(int family) { return family == AF_INET || family == AF_INET6; }

// Which both families have in the same place.
bool is_any_port(const sockaddr* address) {
  return is_internet(address->sa_family) && reinterpret_cast<const sockaddr_in*>(address)->sin_port == 0;
}

bool is_stream_of_internet(int socket) {
  return is_internet(option(socket, SO_DOMAIN)) && option(socket, SO_TYPE) == SOCK_STREAM;
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

}  // namespace

SocketGuard::SocketGuard(const Secret& secret, std::string folder, PeId pe)
    : secret_(secret), folder_(std::move(folder)), pe_(pe) {
  guard_calls_of_ucx();
}

SocketGuard::~SocketGuard() {
  ConnectionAcceptor::of_process().close(this);
  for (int i = 0; i < datagram_sockets_; ++i) unlink(path_of(i).c_str());
}

int SocketGuard::connect(int socket, const sockaddr* address, socklen_t bytes) noexcept {
  if (!is_internet(address->sa_family) || !is_stream_of_internet(socket)) return ::connect(socket, address, bytes);
  if (open_connection(socket, address, bytes, secret_)) return 0;
  if (errno == EADDRNOTAVAIL) lacks_ports_ = true;
  return -1;
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
  if (!is_stream_of_internet(socket)) return ::listen(socket, backlog);
  Listener listener{socket, {}, sizeof listener.name};
  const bool is_named = getsockname(socket, reinterpret_cast<sockaddr*>(&listener.name), &listener.bytes) == 0;
  if (!is_named || !ConnectionAcceptor::of_process().listen(socket, backlog, this, secret_)) return -1;
  listener_ = listener;
  return 0;
}

int SocketGuard::accept(int listener, sockaddr* address, socklen_t* bytes) noexcept {
  const std::optional<int> connection = ConnectionAcceptor::take(listener);
  if (!connection) return ::accept(listener, address, bytes);
  if (*connection >= 0 && address != nullptr) getpeername(*connection, address, bytes);
  return *connection;
}

int SocketGuard::name(int socket, sockaddr* address, socklen_t* bytes) const noexcept {
  if (socket != listener_.socket || !ConnectionAcceptor::is_queue(socket)) return getsockname(socket, address, bytes);
  std::memcpy(address, &listener_.name, std::min(*bytes, listener_.bytes));
  *bytes = listener_.bytes;
  return 0;
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
