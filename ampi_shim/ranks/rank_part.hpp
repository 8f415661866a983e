// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/chares/chare.hpp"

namespace kaon::ampi {

using namespace runtime;
using namespace chares;

/// The parts of each rank that the layers above keep: one object of each, made when it is first asked for.
enum class RankSlot : std::uint8_t {
  messages,
  communicators,
  collectives,
  interface,
  tools,
  datatypes,
  buffers,
  threads,
  devices,
  windows
};
inline constexpr std::size_t kRankSlots = 10;

/// Base of these; its class says `static constexpr RankSlot kSlot` and is constructed with the Rank.
class RankPart {
 public:
  RankPart() = default;
  RankPart(const RankPart&) = delete;
  RankPart& operator=(const RankPart&) = delete;
  virtual ~RankPart() = default;
};

}  // namespace kaon::ampi
