// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "kaon/gpu/device/segment_range.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::gpu {

/// The user of an end of a channel, which decides where the end's flag lies.
enum class DrivenBy : std::uint8_t {
  device,  // kernels that run on, and entries: they wait for rounds and raise the partner's flag
  host,    // tasks and streams: what kernels that are launched write, their stream tells the partner
};

/// The shape of a channel's elements, the same at both ends.
struct ChannelShape {
  std::uint64_t element_bytes = 0;
  std::uint64_t count = 0;  // of a round
  std::uint64_t type = 0;   // a hash

  friend bool operator==(const ChannelShape&, const ChannelShape&) = default;
  template <class Archive>
  void pup(Archive& p) {
    p(element_bytes, count, type);
  }
};

/// An end of a channel among those of all PEs.
struct ChannelName {
  PeId pe = 0;
  std::uint32_t number = 0;  // among those of its PE, from 1

  friend bool operator==(const ChannelName&, const ChannelName&) = default;
  template <class Archive>
  void pup(Archive& p) {
    p(pe, number);
  }
};

/// The description of an end of a channel for its partner; it travels in a message.
struct ChannelOffer {
  ChannelName name;
  SegmentRange memory;
  SharedFlagPlace flag;  // of an end that the host drives; else it lies in the memory
  ChannelShape shape;
  std::uint32_t raises = 0;
  DrivenBy by = DrivenBy::device;
  ChannelName origin;       // its name where it was made: who it is, wherever it is
  std::uint32_t moves = 0;  // since then

  template <class Archive>
  void pup(Archive& p) {
    p(name, memory, flag, shape, raises, by, origin, moves);
  }
};

/// The last message of an end.
struct ChannelLastWord {
  std::uint32_t raised = 0;      // by the host
  bool are_all_of_host = false;  // no others than these
  bool is_closed = false;        // else deleted

  template <class Archive>
  void pup(Archive& p) {
    p(raised, are_all_of_host, is_closed);
  }
};

/// The state of an end that moves with its element. Its memory stays, for transfers in progress.
struct ChannelLuggage {
  ChannelName left;  // the end's name there; of number 0: there is no end
  ChannelName origin;
  std::uint32_t moves = 0;
  ChannelShape shape;
  std::uint32_t raised = 0;
  ChannelName partner, partner_origin;  // where it was last known to be, and who it is
  std::uint32_t partner_moves = 0;      // when it was there
  std::optional<ChannelLastWord> partner_end;

  template <class Archive>
  void pup(Archive& p) {
    p(left, origin, moves, shape, raised, partner, partner_origin, partner_moves, partner_end);
  }
};

}  // namespace kaon::gpu
