// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/connection.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

namespace kaon::launch {
namespace {

bool is_only_busy(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

Connection::Connection(Descriptor socket) : socket_(std::move(socket)) {
  fcntl(socket_.number(), F_SETFL, fcntl(socket_.number(), F_GETFL) | O_NONBLOCK);
}

void Connection::send(const Frame& frame) {
  if (!is_open()) return;
  const std::vector<std::byte> bytes = encode(frame);
  const std::size_t old_bytes = unsent_.size();
  unsent_.resize(old_bytes + bytes.size());
  std::memcpy(unsent_.data() + old_bytes, bytes.data(), bytes.size());
  flush();
}

void Connection::flush() {
  while (is_open() && has_unsent()) {
    const ssize_t taken = ::send(socket_.number(), unsent_.data() + sent_, unsent_.size() - sent_, MSG_NOSIGNAL);
    if (taken < 0 && is_only_busy(errno)) return;
    // The other end is gone. What it said last is still to be read, so the socket stays.
    sent_ = taken < 0 ? unsent_.size() : sent_ + static_cast<std::size_t>(taken);
  }
  unsent_.clear();
  sent_ = 0;
}

pollfd Connection::to_poll() const noexcept {
  return {descriptor(), static_cast<short>(POLLIN | (has_unsent() ? POLLOUT : 0)), 0};
}

bool Connection::receive() {
  if (!is_open()) return false;
  std::array<std::byte, 8192> buffer;  // stacks may be small (ulimit -s)
  const ssize_t bytes = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
  if (bytes < 0 && is_only_busy(errno)) return false;
  if (bytes <= 0) {  // end of file, or reset: both say that nobody is there
    close();
    return false;
  }
  decoder_.feed(std::span(buffer).first(static_cast<std::size_t>(bytes)));
  return true;
}

void Connection::close() noexcept {
  socket_.close();
  unsent_.clear();
  sent_ = 0;
}

}  // namespace kaon::launch
