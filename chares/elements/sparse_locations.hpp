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

/// Locations of the elements of a sparse array, as one PE knows them. Elements come and go under the same numbers. Each
/// number has a home PE by arithmetic, which receives every insertion, move and end, in any order. The PE that has an
/// element also has the count of its moves. All other PEs have only hints for their own messages, which may be wrong.
/// Only the home decides where messages go on, so that none goes in circles.
class SparseLocations {
 public:
  /// `of_singles`: numbers are from new_number(), and name their homes.
  SparseLocations(const ElementType& type, PeId here, PeId pes, bool of_singles)
      : type_(type), here_(here), pes_(pes), of_singles_(of_singles) {}

  /// Throws UsageError where a class that places its elements itself names a PE that is none.
  PeId home(std::uint64_t element) const;
  /// One that no other PE gives, at home here.
  std::uint64_t new_number() { return std::uint64_t{here_} << kCountBits | (numbers_++ & kCountMask); }
  static std::uint64_t count_in(std::uint64_t number) { return number & kCountMask; }
  bool is_home(std::uint64_t element) const { return home(element) == here_; }

  // --- at home
  /// The PE that has the element, or gets it; nothing: no other than this one may have it.
  std::optional<PeId> elsewhere(std::uint64_t element) const;
  /// The same, and this PE for one that is coming back; nothing also for one that is here and never moved.
  std::optional<PeId> known(std::uint64_t element) const;
  template <class Visit>
  void each_known(Visit visit) const {
    homed_.each([&](std::uint64_t element, const Whereabouts&) { visit(element); });
  }
  void inserted(std::uint64_t element, PeId pe);
  /// It has moved, which is heard once for each move.
  void moved(std::uint64_t element, Whereabouts now);
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
  PeId home_of_single(std::uint64_t number) const;
  /// News of moves that are still to come.
  struct Late {
    std::int32_t missing = 0;
    std::uint32_t has_ended = 0;
  };
  void note_late(std::uint64_t element, std::int32_t more);

  static constexpr int kCountBits = 40;
  static constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;
  static constexpr std::size_t kMostHints = std::size_t{1} << 20;

  const ElementType& type_;
  PeId here_;
  PeId pes_;
  bool of_singles_;
  std::uint64_t numbers_ = 0;     // given
  NumberMap<Whereabouts> homed_;  // of elements at home here, but those that are here and never moved
  NumberMap<Late> late_;
  NumberMap<std::uint64_t> here_moves_;  // of elements that are here and have moved
  NumberMap<std::uint64_t> hints_;
};

}  // namespace kaon::chares
