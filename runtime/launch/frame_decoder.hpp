// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "kaon/runtime/launch/frame.hpp"

namespace kaon::launch {

// Cuts a stream of bytes into frames, however the socket has chopped it. Holds no more memory than bytes have arrived,
// whatever length a header claims.
class FrameDecoder {
 public:
  void feed(std::span<const std::byte> bytes);
  // The next complete frame. Throws CorruptMessage, from then on each time.
  std::optional<Frame> next();
  // Bytes of a frame that has not arrived completely.
  [[nodiscard]] std::size_t pending_bytes() const noexcept { return bytes_.size() - begin_; }

 private:
  void drop_consumed();

  std::vector<std::byte> bytes_;
  std::size_t begin_ = 0;
};

}  // namespace kaon::launch
