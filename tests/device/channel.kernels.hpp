// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

#include "kaon/gpu/channels/channel_end.hpp"

namespace kaon::testing {

/// One side of a channel, and numbers that both change in turns.
struct Speaker {
  gpu::ChannelEnd<std::uint32_t> end;
  gpu::FlagWord said;        // by each part, once a round
  gpu::AwaitedFlags before;  // what the partner raises, and that all parts have come so far
  std::uint32_t* values;
};

/// The next value of number i, when the partner's has come.
KAON_DEVICE constexpr std::uint32_t answer_to(std::uint32_t heard, std::uint32_t value, std::uint32_t i) {
  return 3 * value + heard + i;
}

/// Reads a round and writes the next one; those that follow up to `stop`. By each part of a gang its share.
struct Speak {
  using Object = Speaker;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t round, stop;
  template <class At>
  KAON_DEVICE void operator()(At& at, Speaker& self) const {
    const auto count = static_cast<std::uint32_t>(self.end.count), lanes = static_cast<std::uint32_t>(at.lanes());
    const std::uint32_t first = count * at.part() / at.parts(), last = count * (at.part() + 1) / at.parts();
    for (std::uint32_t i = first + static_cast<std::uint32_t>(at.lane()); i < last; i += lanes) {
      self.values[i] = answer_to(self.end.in(round)[i], self.values[i], i);
      self.end.out(round + 1)[i] = self.values[i];
    }
    at.sync();
    if (!at.is_first()) return;
    at.raise(self.end.partner_arrived, 1, self.end.scope);
    at.raise(self.said, 1, gpu::Scope::device);
    if (round + 1 < stop) at.when(self.before, round + 1, Speak{round + 1, stop});
  }
};

/// Starts Speak when this round has come.
struct BeginSpeak {
  using Object = Speaker;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t round, stop;
  template <class At>
  KAON_DEVICE void operator()(At& at, Speaker& self) const {
    if (at.is_first()) at.when(self.before, round, Speak{round, stop});
  }
};

using SpeakerEntries = gpu::DeviceEntries<Speak, BeginSpeak>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::SpeakerEntries);
