// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <stdexcept>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// Its entries do what none should.
struct Machine {
  gpu::AwaitedFlag never;  // nobody raises it
  gpu::DeviceObject<Machine> other;
};

/// Looks at a flag for ever.
struct SpinForever {
  using Object = Machine;
  template <class At>
  KAON_DEVICE void operator()(At& at, Machine& self) const {
    while (!at.has_reached(self.never.flag, 1)) continue;
  }
};

/// Never gives way: it calls nothing of `at`.
struct SpinAlone {
  using Object = Machine;
  template <class At>
  KAON_DEVICE void operator()(At&, Machine& self) const {
    while (*reinterpret_cast<const volatile std::uint32_t*>(self.never.flag.word) == 0) continue;
  }
};

/// Uses memory that is not there; the emulation's own would take the whole process.
struct Break {
  using Object = Machine;
  template <class At>
  KAON_DEVICE void operator()(At& at, Machine&) const {
#if defined(KAON_DEVICE_COMPILER)
    if (at.is_first()) *reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{64}) = 1;
#else
    if (at.is_first()) throw std::runtime_error("an access to memory that is not there");
#endif
  }
};

struct Idle {
  using Object = Machine;
  template <class At>
  KAON_DEVICE void operator()(At&, Machine&) const {}
};

/// Goes on when somebody raises the flag.
struct AwaitNever {
  using Object = Machine;
  static constexpr bool kAwaitsFlags = true;
  template <class At>
  KAON_DEVICE void operator()(At& at, Machine& self) const {
    if (at.is_first()) at.when(self.never, 1, Idle{});
  }
};

/// To the machine beside it, which may be gone, or another scheduler's.
struct Poke {
  using Object = Machine;
  template <class At>
  KAON_DEVICE void operator()(At& at, Machine& self) const {
    if (at.is_first()) at.send(self.other, Idle{});
  }
};

using MachineEntries = gpu::DeviceEntriesWithPeers<SpinForever, SpinAlone, Break, Idle, AwaitNever, Poke>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::MachineEntries);
