// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// Adds what lands, round by round: in one of two places, by the parity of the round.
struct Adder {
  const int* landings[2];
  std::uint32_t size;
  gpu::AwaitedFlag arrived;
  std::uint32_t wrong;
};

/// In round r element i is 1000 r + i; tells the host that the place is free again.
struct AddRound {
  using Object = Adder;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t round, stop;
  gpu::HostTarget<std::uint32_t> taken;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Adder& self) const {
    const int* const landing = self.landings[round % 2];
    for (auto i = static_cast<std::uint32_t>(at.lane()); i < self.size; i += static_cast<std::uint32_t>(at.lanes()))
      if (landing[i] != static_cast<int>(1000 * round + i)) at.add_into(&self.wrong, 1U);
    at.sync();
    if (at.is_first()) {
      at.tell(taken, round);
      if (round < stop) at.when(self.arrived, round + 1, AddRound{round + 1, stop, taken});
    }
    return self.wrong;
  }
};

/// Starts AddRound when the first round has landed.
struct BeginAdding {
  using Object = Adder;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t stop;
  gpu::HostTarget<std::uint32_t> taken;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Adder& self) const {
    if (at.is_first()) at.when(self.arrived, 1, AddRound{1, stop, taken});
    return 0;
  }
};

using AdderEntries = gpu::DeviceEntries<BeginAdding, AddRound>;

/// Raises a flag that the host reads, when another is reached; *answer is then its double.
struct RaiseBack {
  static constexpr bool kIsCooperative = true;
  gpu::FlagWord call, reply;
  const std::uint32_t* question;
  std::uint32_t* answer;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first() || !at.wait_for(call, 1)) return;
    *answer = *question * 2;
    at.raise(reply, 3);
  }
};

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::AdderEntries);
KAON_KERNEL(kaon::testing::RaiseBack);
