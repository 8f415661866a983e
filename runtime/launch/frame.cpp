// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/frame.hpp"

#include <cstring>

namespace kaon::launch {

std::vector<std::byte> encode(const Frame& frame) {
  const auto body_bytes = static_cast<std::uint32_t>(frame.body.size());
  std::vector<std::byte> bytes(kFrameHeaderBytes + frame.body.size());
  std::memcpy(bytes.data(), &body_bytes, 4);
  std::memcpy(bytes.data() + 4, &kFrameMark, 2);
  std::memcpy(bytes.data() + 6, &frame.kind, 2);
  if (!frame.body.empty()) std::memcpy(bytes.data() + kFrameHeaderBytes, frame.body.data(), frame.body.size());
  return bytes;
}

}  // namespace kaon::launch
