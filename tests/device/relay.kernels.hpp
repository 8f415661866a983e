// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// The memory that runners hand on. Each rewrites it, by all of its threads, when it is as the one before has left it.
struct Baton {
  static constexpr std::uint32_t kNumbers = 96, kWrong = ~0U;
  std::uint32_t numbers[kNumbers];
};

/// One of several, of different workers, that have a baton together.
template <bool of_warp>
struct Runner {
  static constexpr bool kIsWarpSized = of_warp;
  Baton* baton;
  gpu::DeviceObject<Runner> next;
  gpu::HostTarget<std::uint32_t> told;  // at last; none: nobody
  std::uint32_t rounds;

  template <class Next, class At>
  KAON_DEVICE void run(At& at, std::uint32_t round) {
    for (unsigned i = at.lane(); i < Baton::kNumbers; i += at.lanes())
      baton->numbers[i] = baton->numbers[i] == round ? round + 1 : Baton::kWrong;
    at.sync();
    if (!at.is_first()) return;
    if (round + 1 < rounds)
      at.send(next, Next{round + 1});
    else if (told.number != 0)
      at.tell(told, round + 1);
  }
};

template <class AnyRunner>
struct Enlist {
  using Object = AnyRunner;
  gpu::DeviceObject<AnyRunner> next;
  gpu::HostTarget<std::uint32_t> told;
  std::uint32_t rounds;
  template <class At>
  KAON_DEVICE void operator()(At& at, AnyRunner& self) const {
    if (!at.is_first()) return;
    self.next = next;
    self.told = told;
    self.rounds = rounds;
  }
};

template <class AnyRunner>
struct Run {
  using Object = AnyRunner;
  std::uint32_t round;
  template <class At>
  KAON_DEVICE void operator()(At& at, AnyRunner& self) const {
    self.template run<Run>(at, round);
  }
};
template <class AnyRunner>
struct RunFirst {
  using Object = AnyRunner;
  static constexpr bool kIsUrgent = true;
  std::uint32_t round;
  template <class At>
  KAON_DEVICE void operator()(At& at, AnyRunner& self) const {
    self.template run<RunFirst>(at, round);
  }
};
/// Nobody runs it; a list that has it is of those that look for flags.
template <class AnyRunner>
struct Rest {
  using Object = AnyRunner;
  static constexpr bool kAwaitsFlags = true;
  template <class At>
  KAON_DEVICE void operator()(At&, AnyRunner&) const {}
};

using BlockRunner = Runner<false>;
using WarpRunner = Runner<true>;
using RunEntries = gpu::DeviceEntries<Enlist<BlockRunner>, Run<BlockRunner>>;
using WarpRunEntries = gpu::DeviceEntries<Enlist<WarpRunner>, Run<WarpRunner>>;
using UrgentRunEntries = gpu::DeviceEntries<Enlist<BlockRunner>, RunFirst<BlockRunner>>;
using AwaitingRunEntries = gpu::DeviceEntries<Enlist<BlockRunner>, Run<BlockRunner>, Rest<BlockRunner>>;
using FarRunEntries = gpu::DeviceEntriesWithPeers<Enlist<BlockRunner>, Run<BlockRunner>, RunFirst<BlockRunner>>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::RunEntries);
KAON_DEVICE_ENTRIES(kaon::testing::WarpRunEntries);
KAON_DEVICE_ENTRIES(kaon::testing::UrgentRunEntries);
KAON_DEVICE_ENTRIES(kaon::testing::AwaitingRunEntries);
KAON_DEVICE_ENTRIES(kaon::testing::FarRunEntries);
