// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/launch/frame_decoder.hpp"

namespace kaon::launch {

// One end of a socket pair that carries frames. Never blocks: what the socket does not take waits in memory for
// flush(). Not for two threads at once.
class Connection {
 public:
  explicit Connection(Descriptor socket);

  void send(const Frame& frame);
  void flush();
  [[nodiscard]] bool has_unsent() const noexcept { return sent_ < unsent_.size(); }
  // What to wait for: frames, or room for what is unsent. Nothing once the other end is gone.
  [[nodiscard]] pollfd to_poll() const noexcept;

  // Reads once what is there, up to a bound, for next(). False when there was nothing; is_open() tells why.
  bool receive();
  std::optional<Frame> next() { return decoder_.next(); }

  // False once the other end is gone.
  [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }
  [[nodiscard]] int descriptor() const noexcept { return socket_.number(); }
  void close() noexcept;

 private:
  Descriptor socket_;
  FrameDecoder decoder_;
  std::vector<std::byte> unsent_;
  std::size_t sent_ = 0;  // bytes at the front of unsent_ that the socket has
};

}  // namespace kaon::launch
