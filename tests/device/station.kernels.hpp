// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// One on each PE's device; each knows the next one, of another scheduler.
struct Station {
  gpu::DeviceObject<Station> next;
  gpu::HostTarget<std::uint32_t> over;
  std::uint32_t visits;
  std::uint32_t last;   // number that came
  std::uint32_t wrong;  // numbers that did not follow the last one
};

struct MeetStation {
  using Object = Station;
  gpu::DeviceObject<Station> next;
  gpu::HostTarget<std::uint32_t> over;
  template <class At>
  KAON_DEVICE void operator()(At& at, Station& self) const {
    if (at.part() != 0 || !at.is_first()) return;
    self.next = next;
    self.over = over;
  }
};

/// From station to station; the host of the last one is told.
struct Visit {
  using Object = Station;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, Station& self) const {
    if (at.part() == 0 && at.is_first()) ++self.visits;
    if (at.part() != 0 || !at.is_first()) return;
    if (left > 0)
      at.send(self.next, Visit{left - 1});
    else
      at.tell(self.over, 1U);
  }
};

struct TakeNumber {
  using Object = Station;
  std::uint32_t number;
  template <class At>
  KAON_DEVICE void operator()(At& at, Station& self) const {
    if (at.part() != 0 || !at.is_first()) return;
    if (number != self.last + 1) ++self.wrong;
    self.last = number;
  }
};

/// Sends so many numbers to the next one, `burst` at a time.
struct SendNumbers {
  using Object = Station;
  std::uint32_t first, count, burst;
  template <class At>
  KAON_DEVICE void operator()(At& at, Station& self) const {
    if (at.part() != 0 || !at.is_first()) return;
    std::uint32_t sent = 0;
    for (; sent < count && sent < burst && !at.is_crowded(); ++sent) at.send(self.next, TakeNumber{first + sent});
    if (sent < count) at.send(at.self(), SendNumbers{first + sent, count - sent, burst});
  }
};

/// Visits the next one and goes on at home, so that something is under way here and there for long.
struct VisitAndStay {
  using Object = Station;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, Station& self) const {
    if (at.part() != 0 || !at.is_first()) return;
    at.send(self.next, Visit{40});
    if (left > 0) at.send(at.self(), VisitAndStay{left - 1});
  }
};

struct StationFacts {
  std::uint32_t visits, last, wrong;
};
struct ReadStation {
  using Object = Station;
  template <class At>
  KAON_DEVICE StationFacts operator()(At& at, Station& self) const {
    if (at.part() != 0) return {};  // which writes them
    return {self.visits, self.last, self.wrong};
  }
};

using StationEntries =
    gpu::DeviceEntriesWithPeers<MeetStation, Visit, TakeNumber, SendNumbers, VisitAndStay, ReadStation>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::StationEntries);
