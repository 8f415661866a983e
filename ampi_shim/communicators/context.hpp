// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::ampi {

/// A number that separates messages of one communicator from those of all others: a part of the match key of messages.
/// Contexts differ for communicators that have a rank in common, and are equal for all members of one. The lowest three
/// bits are the traffic. There is no vote: rank 0 makes one from its rank in the run and a count of its own, and the
/// other members learn it. So several can be made side by side, and none is used twice.
using Context = std::uint64_t;

/// Messages of these kinds never meet within a communicator.
enum class Traffic : std::uint64_t {
  point_to_point = 0,
  collective = 1,
  local_group = 2,  // collectives inside one group of an intercommunicator
  creation = 3,     // of communicators by some members alone, with the user's tags
  partitioned = 4,  // offers of partitioned sends, with the user's tags
};

constexpr Context with(Context communicator, Traffic traffic) {
  return communicator | static_cast<std::uint64_t>(traffic);
}

inline constexpr Context kWorldContext = 8;
inline constexpr Context kSelfContext = 16;
inline constexpr Context kNoContext = 0;

/// The `count`-th (from 0) that this rank of the run makes. 24 bits of rank, 37 of count.
constexpr Context make_context(int rank_in_run, std::uint64_t count) {
  return (static_cast<std::uint64_t>(rank_in_run) + 1) << 40 | (count & ((std::uint64_t{1} << 37) - 1)) << 3;
}

}  // namespace kaon::ampi
