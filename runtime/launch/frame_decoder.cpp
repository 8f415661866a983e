// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/frame_decoder.hpp"

#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

struct Header {
  std::uint32_t body_bytes;
  std::uint16_t mark;
  std::uint16_t kind;
};
static_assert(sizeof(Header) == kFrameHeaderBytes);

bool is_known(std::uint16_t kind) {
  return kind >= static_cast<std::uint16_t>(FrameKind::kHeartbeat) &&
         kind <= static_cast<std::uint16_t>(FrameKind::kEnd);
}

void check(const Header& header) {
  if (header.mark != kFrameMark) throw CorruptMessage("a frame does not begin with its mark");
  if (!is_known(header.kind)) throw CorruptMessage("a frame of unknown kind " + std::to_string(header.kind));
  if (header.body_bytes > kMaxBodyBytes)
    throw CorruptMessage("a frame claims " + std::to_string(header.body_bytes) + " bytes; at most " +
                         std::to_string(kMaxBodyBytes) + " are allowed");
}

}  // namespace

void FrameDecoder::feed(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  drop_consumed();
  const std::size_t old_bytes = bytes_.size();
  bytes_.resize(old_bytes + bytes.size());
  std::memcpy(bytes_.data() + old_bytes, bytes.data(), bytes.size());
}

std::optional<Frame> FrameDecoder::next() {
  if (pending_bytes() < kFrameHeaderBytes) return std::nullopt;
  Header header{};
  std::memcpy(&header, bytes_.data() + begin_, kFrameHeaderBytes);
  check(header);
  if (pending_bytes() - kFrameHeaderBytes < header.body_bytes) return std::nullopt;
  const std::byte* body = bytes_.data() + begin_ + kFrameHeaderBytes;
  begin_ += kFrameHeaderBytes + header.body_bytes;
  return Frame{static_cast<FrameKind>(header.kind), std::vector<std::byte>(body, body + header.body_bytes)};
}

void FrameDecoder::drop_consumed() {
  if (begin_ == bytes_.size()) {
    bytes_.clear();
    begin_ = 0;
  } else if (begin_ > bytes_.size() / 2) {  // move the rest rarely enough to stay linear
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
}

}  // namespace kaon::launch
