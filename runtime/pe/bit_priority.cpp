// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/bit_priority.hpp"

#include <algorithm>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

BitPriority BitPriority::child(std::uint64_t value, int width) const {
  if (width < 0 || width > 64 || (width < 64 && value >> width != 0))
    throw UsageError("a BitPriority's child(" + std::to_string(value) + ", " + std::to_string(width) +
                     "): the value has more bits than that");
  BitPriority below = *this;
  if (width == 0) return below;
  below.bits_ += static_cast<std::uint32_t>(width);
  if (below.words() > kWordsHere) below.more_.resize(below.words() - kWordsHere);
  const std::size_t first = bits_ / 64;
  const std::uint64_t aligned = value << (64 - width);
  const auto before = static_cast<int>(bits_ % 64);
  below.word(first) |= aligned >> before;
  if (before + width > 64) below.word(first + 1) |= aligned << (64 - before);
  return below;
}

std::strong_ordering operator<=>(const BitPriority& a, const BitPriority& b) {
  const std::size_t both = std::min(a.words(), b.words());
  for (std::size_t i = 0; i < both; ++i)
    if (const auto order = a.word(i) <=> b.word(i); order != 0) return order;
  return a.bits_ <=> b.bits_;  // what both have is equal: the rest of the longer one is behind it
}

void BitPriority::check() const {
  if (more_.size() != (words() > kWordsHere ? words() - kWordsHere : 0))
    throw CorruptMessage("a priority has other than the bits that it says");
}

}  // namespace kaon::runtime
