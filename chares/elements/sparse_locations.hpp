// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kaon/chares/elements/element_type.hpp"
#include "kaon/chares/elements/locations.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// What one PE knows of where the elements of a sparse array are, which come and go under the same numbers. Each number
/// has a home PE by arithmetic, which hears of every insertion, move and end, in any order; who has an element knows
/// how often it has moved; all others have no more than hints for what they send themselves, which may be wrong. Only
/// the home tells messages where to go on, so that none goes in circles.
class SparseLocations {
 public:
  SparseLocations(const ElementType& type, PeId here, PeId pes) : type_(type), here_(here), pes_(pes) {}

  /// Throws UsageError where a class that places its elements itself names a PE that is none.
  PeId home(std::uint64_t element) const;
  bool is_home(std::uint64_t element) const { return home(element) == here_; }

  // --- at home
  /// The PE that has the element, or gets it; nothing: no other than this one may have it.
  std::optional<PeId> elsewhere(std::uint64_t element) const;
  void inserted(std::uint64_t element, PeId pe);
  /// It has moved, which is heard once for each move. True: of one that is no more it was the last that was to come.
  bool moved(std::uint64_t element, Whereabouts now);
  /// It is no more, after so many moves. False: something of these is still to come, until which nothing may be
  /// inserted under its number.
  bool ended(std::uint64_t element, std::uint32_t moves);
  bool is_ending(std::uint64_t element) const;

  // --- where the element is, and of the first also at home
  std::uint32_t moves(std::uint64_t element) const;
  void arrived(std::uint64_t element, std::uint32_t moves);
  /// It goes on, or is no more.
  void left(std::uint64_t element) { here_moves_.erase(element); }

  // --- elsewhere
  /// Where to send what is for an element that is not here.
  PeId guess(std::uint64_t element) const;
  void hint(std::uint64_t element, PeId pe);
  void forget_hint(std::uint64_t element) { hints_.erase(element); }

 private:
  /// News of moves that are still to come.
  struct Late {
    std::int32_t missing = 0;
    std::uint32_t has_ended = 0;
  };
  bool note_late(std::uint64_t element, std::int32_t more);

  static constexpr std::size_t kMostHints = std::size_t{1} << 20;

  const ElementType& type_;
  PeId here_;
  PeId pes_;
  NumberMap<Whereabouts> homed_;  // of elements at home here, but those that are here and never moved
  NumberMap<Late> late_;
  NumberMap<std::uint64_t> here_moves_;  // of elements that are here and have moved
  NumberMap<std::uint64_t> hints_;
};

}  // namespace kaon::chares
