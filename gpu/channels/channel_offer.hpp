// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/segment_range.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::gpu {

/// Who uses an end of a channel, and so where its flag lies.
enum class DrivenBy : std::uint8_t {
  device,  // kernels that run on, and entries: they wait for rounds and raise the partner's flag
  host,    // tasks and streams: what kernels that are launched write, their stream tells the partner
};

/// What the elements of a channel are, which is the same at both ends.
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

/// What the partner needs to know of an end of a channel; it travels in a message.
struct ChannelOffer {
  ChannelName name;
  SegmentRange memory;
  SharedFlagPlace flag;  // of an end that the host drives; else it lies in the memory
  ChannelShape shape;
  std::uint32_t raises = 0;
  DrivenBy by = DrivenBy::device;

  template <class Archive>
  void pup(Archive& p) {
    p(name, memory, flag, shape, raises, by);
  }
};

}  // namespace kaon::gpu
