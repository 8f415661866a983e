// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/ports/payload_epoch.hpp"

namespace kaon::runtime {

/// The fields of a 64-bit tag: type (4 bits) | epoch (4) | source PE (24) | counter (32), from the high end.
/// Host and control batches carry the type alone and are received with a full mask; a payload's tag is unique
/// while fewer than 2^32 payloads of one PE are in flight, and fewer than 16 epochs have one under way.
enum class TagType : std::uint8_t { host = 1, control = 2, payload = 3 };

struct Tag {
  TagType type;
  PeId source = 0;
  std::uint32_t counter = 0;
  std::uint8_t epoch = 0;
  friend constexpr bool operator==(const Tag&, const Tag&) = default;
};

inline constexpr std::uint64_t kFullTagMask = ~std::uint64_t{0};
/// Type and epoch alone.
inline constexpr std::uint64_t kEpochTagMask = ~std::uint64_t{0} << 56;

constexpr std::uint64_t encode(Tag tag) {
  return std::uint64_t{static_cast<std::uint8_t>(tag.type)} << 60 |
         std::uint64_t{tag.epoch & (PayloadEpoch::kEpochs - 1)} << 56 |
         std::uint64_t{tag.source & (kMaxPes - 1)} << 32 | tag.counter;
}

constexpr Tag decode_tag(std::uint64_t bits) {
  return {static_cast<TagType>(bits >> 60), static_cast<PeId>(bits >> 32) & (kMaxPes - 1),
          static_cast<std::uint32_t>(bits), static_cast<std::uint8_t>(bits >> 56 & (PayloadEpoch::kEpochs - 1))};
}

}  // namespace kaon::runtime
