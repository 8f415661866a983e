// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// A ledger into which several PEs enter, each with numbers of its own, and the targets that entries notify.
struct Ledger {
  static constexpr bool kIsLockable = true;
  static constexpr std::uint32_t kMostPes = 8;
  std::uint32_t next[kMostPes];  // the number that each is to enter next
  std::uint32_t wrong;           // that came out of their order
  std::uint32_t urgent;
  std::uint64_t total;
  gpu::HostTarget<std::uint32_t> told[kMostPes];
  gpu::DeviceObject<Ledger> peer;  // of another scheduler
};

struct LedgerSums {
  std::uint64_t total;
  std::uint32_t wrong, urgent;
};

struct Introduce {
  using Object = Ledger;
  std::uint32_t pe;
  gpu::HostTarget<std::uint32_t> told;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger& self) const {
    if (at.is_first()) self.told[pe] = told;
  }
};

struct Enter {
  using Object = Ledger;
  std::uint32_t pe, number;
  template <class At>
  KAON_DEVICE std::uint64_t operator()(At& at, Ledger& self) const {
    if (at.is_first()) {
      if (self.next[pe] != number) ++self.wrong;
      self.next[pe] = number + 1;
      ++self.total;
    }
    at.sync();
    return self.total;
  }
};

/// Twice itself until `depth` is 0; then it tells a PE.
struct Spread {
  using Object = Ledger;
  std::uint32_t depth, pe;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger& self) const {
    if (!at.is_first()) return;
    if (depth == 0) return at.tell(self.told[pe], pe);
    at.send(at.self(), Spread{depth - 1, pe});
    at.send(at.self(), Spread{depth - 1, pe});
  }
};

/// Tells a PE many times.
struct Repeat {
  using Object = Ledger;
  std::uint32_t times, pe;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger& self) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < times; ++i) at.tell(self.told[pe], pe);
  }
};

struct MeetLedger {
  using Object = Ledger;
  gpu::DeviceObject<Ledger> peer;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger& self) const {
    if (at.is_first()) self.peer = peer;
  }
};

/// Lets the peer spread.
struct Forward {
  using Object = Ledger;
  std::uint32_t depth, pe;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger& self) const {
    if (at.is_first()) at.send(self.peer, Spread{depth, pe});
  }
};

struct Hasten {
  using Object = Ledger;
  static constexpr bool kIsUrgent = true;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger& self) const {
    if (at.is_first()) ++self.urgent;
  }
};

struct Sum {
  using Object = Ledger;
  template <class At>
  KAON_DEVICE LedgerSums operator()(At&, Ledger& self) const {
    return {self.total, self.wrong, self.urgent};
  }
};

/// Goes on when its flag has been raised so many times.
struct Await {
  using Object = Ledger;
  static constexpr bool kAwaitsFlags = true;
  gpu::FlagWord flag;
  std::uint32_t times;
  template <class At>
  KAON_DEVICE void operator()(At& at, Ledger&) const {
    if (at.is_first()) at.when(gpu::AwaitedFlag{flag}, times, Hasten{});
  }
};

using LedgerEntries =
    gpu::DeviceEntriesWithPeersAndGuests<Introduce, Enter, Spread, Hasten, Sum, Await, MeetLedger, Forward, Repeat>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::LedgerEntries);
