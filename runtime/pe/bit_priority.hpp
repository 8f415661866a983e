// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// A priority of any number of bits, for searches: smaller ones first, compared bit by bit from the first one on, and
/// what others begin with before these. So a node comes before its children, and all that is below its first child
/// before its second one: the order of a sequential search. (Kale and others, Prioritization in Parallel Symbolic
/// Computing, 1993.)
class BitPriority {
 public:
  /// Without bits: before all others.
  BitPriority() = default;

  /// With the lowest `width` (at most 64) bits of `value` behind this one's. Throws UsageError where `value` has more.
  BitPriority child(std::uint64_t value, int width) const;
  std::size_t bits() const { return bits_; }
  bool bit(std::size_t place) const { return word(place / 64) >> (63 - place % 64) & 1; }

  friend std::strong_ordering operator<=>(const BitPriority& a, const BitPriority& b);
  friend bool operator==(const BitPriority& a, const BitPriority& b) { return (a <=> b) == 0; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(bits_, words_, more_);
    if (Archive::is_loading) check();
  }

 private:
  static constexpr std::size_t kWordsHere = 2;

  std::uint64_t word(std::size_t place) const { return place < kWordsHere ? words_[place] : more_[place - kWordsHere]; }
  std::uint64_t& word(std::size_t place) { return place < kWordsHere ? words_[place] : more_[place - kWordsHere]; }
  std::size_t words() const { return (bits_ + 63) / 64; }
  /// Throws CorruptMessage.
  void check() const;

  // The first bit is the highest of the first word; what is behind the last one is 0.
  std::uint32_t bits_ = 0;
  std::array<std::uint64_t, kWordsHere> words_{};
  std::vector<std::uint64_t> more_;
};

}  // namespace kaon::runtime
