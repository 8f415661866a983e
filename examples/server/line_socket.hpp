// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace server {

inline int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// A TCP socket of this host, over which lines go. Its calls block.
class LineSocket {
 public:
  /// On a port that is free.
  static LineSocket listening() {
    LineSocket socket;
    sockaddr_in address = on_this_host(0);
    checked(bind(socket.fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
    checked(listen(socket.fd_, SOMAXCONN), "listen");
    return socket;
  }
  static LineSocket connected(std::uint16_t port) {
    LineSocket socket;
    sockaddr_in address = on_this_host(port);
    checked(connect(socket.fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), "connect");
    return socket;
  }

  LineSocket(LineSocket&& other) noexcept : fd_(std::exchange(other.fd_, -1)), read_(std::move(other.read_)) {}
  LineSocket& operator=(LineSocket&&) = delete;
  ~LineSocket() {
    if (fd_ >= 0) close(fd_);
  }

  std::uint16_t port() const {
    sockaddr_in address{};
    socklen_t bytes = sizeof address;
    checked(getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &bytes), "getsockname");
    return ntohs(address.sin_port);
  }
  /// Nothing when end() was called on this one.
  std::optional<LineSocket> accept_next() const {
    const int fd = accept(fd_, nullptr, nullptr);
    return fd < 0 ? std::nullopt : std::optional(LineSocket(fd));
  }
  /// Calls that block return, on whatever thread.
  void end() const { shutdown(fd_, SHUT_RDWR); }

  /// Nothing when the other side has ended.
  std::optional<std::string> read_line() {
    while (true) {
      if (const std::size_t at = read_.find('\n'); at != std::string::npos) {
        std::string line = read_.substr(0, at);
        read_.erase(0, at + 1);
        return line;
      }
      char bytes[512];
      const ssize_t came = recv(fd_, bytes, sizeof bytes, 0);
      if (came <= 0) return std::nullopt;
      read_.append(bytes, static_cast<std::size_t>(came));
    }
  }
  void write_line(std::string line) const {
    line += '\n';
    for (std::size_t sent = 0; sent < line.size();)
      sent += static_cast<std::size_t>(
          checked(static_cast<int>(send(fd_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL)), "send"));
  }

 private:
  LineSocket() : fd_(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")) {}
  explicit LineSocket(int fd) : fd_(fd) {}
  static sockaddr_in on_this_host(std::uint16_t port) {
    return {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  }

  int fd_;
  std::string read_;  // and not yet taken
};

}  // namespace server
