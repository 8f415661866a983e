// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

struct Pool;

/// Its entries are run by a warp.
struct Drop {
  static constexpr bool kIsWarpSized = true;
  std::uint64_t value;
  gpu::DeviceObject<Drop> next;
  gpu::DeviceObject<Pool> pool;
  gpu::HostTarget<std::uint32_t, std::uint64_t> told;
  gpu::AwaitedFlag raised;
};

/// Its entries are run by a block.
struct Pool {
  std::uint64_t value;
  gpu::DeviceObject<Drop> drop;
};

struct MeetDrop {
  using Object = Drop;
  gpu::DeviceObject<Drop> next;
  gpu::DeviceObject<Pool> pool;
  template <class At>
  KAON_DEVICE void operator()(At& at, Drop& self) const {
    if (!at.is_first()) return;
    self.next = next;
    self.pool = pool;
  }
};

struct MeetPool {
  using Object = Pool;
  gpu::DeviceObject<Drop> drop;
  template <class At>
  KAON_DEVICE void operator()(At& at, Pool& self) const {
    if (at.is_first()) self.drop = drop;
  }
};

struct AddToDrop {
  using Object = Drop;
  std::uint64_t amount;
  template <class At>
  KAON_DEVICE std::uint64_t operator()(At& at, Drop& self) const {
    if (at.is_first()) self.value += amount;
    at.sync();
    return self.value;
  }
};

/// The results that the lanes of a warp compute together from their numbers.
struct LaneFacts {
  std::uint32_t lanes, warps, sum, least, most, before_last, through_last;
};
struct ReadLanes {
  using Object = Drop;
  template <class At>
  KAON_DEVICE LaneFacts operator()(At& at, Drop&) const {
    const std::uint32_t lane = at.lane(), last = at.lanes() - 1;
    const std::uint32_t before = at.exclusive_scan(lane + 1), through = at.inclusive_scan(lane + 1);
    return {at.lanes(),
            at.warps(),
            at.sum(lane),
            at.min(lane + 3),
            at.max(lane + 5),
            at.max(lane == last ? before : 0U),
            at.max(lane == last ? through : 0U)};
  }
};

/// From drop to pool to drop; the last one tells the host.
struct Flow;
struct FlowThrough {
  using Object = Pool;
  std::uint32_t left;
  std::uint64_t sum;
  template <class At>
  KAON_DEVICE void operator()(At& at, Pool& self) const;
};
struct Flow {
  using Object = Drop;
  std::uint32_t left;
  std::uint64_t sum;
  template <class At>
  KAON_DEVICE void operator()(At& at, Drop& self) const {
    if (!at.is_first()) return;
    self.value += 1;
    if (left == 0)
      at.tell(self.told, 7U, sum + self.value);
    else if (left % 2 == 0)
      at.send(self.next, Flow{left - 1, sum + self.value});
    else
      at.send(self.pool, FlowThrough{left - 1, sum + self.value});
  }
};
template <class At>
KAON_DEVICE void FlowThrough::operator()(At& at, Pool& self) const {
  if (at.part() != 0 || !at.is_first()) return;
  self.value += 1;
  at.send(self.drop, Flow{left > 0 ? left - 1 : 0, sum});
}

/// Two more of itself until `depth` is 0: to this drop and to the next.
struct Split {
  using Object = Drop;
  std::uint32_t depth;
  template <class At>
  KAON_DEVICE void operator()(At& at, Drop& self) const {
    if (!at.is_first()) return;
    self.value += 1;
    if (depth == 0) return;
    at.send(self.next, Split{depth - 1});
    at.send(at.self(), Split{depth - 1});
  }
};

/// Tells the host `times` times, counting.
struct Patter {
  using Object = Drop;
  std::uint32_t times;
  template <class At>
  KAON_DEVICE void operator()(At& at, Drop& self) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < times; ++i) at.tell(self.told, i, self.value);
  }
};

/// Adds a number for each part of a gang of warps.
struct AddPart {
  using Object = Drop;
  std::uint32_t* sum;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Drop&) const {
    if (at.is_first()) at.add_into(sum, 1 + 10 * at.part());
    return at.parts();
  }
};

/// `count` tasks that add one each when the flag has been raised `times` times.
struct AddWhen {
  using Object = Drop;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t times, count;
  template <class At>
  KAON_DEVICE void operator()(At& at, Drop& self) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) at.when(self.raised, times, AddToDrop{1});
  }
};
struct RaiseDrop {
  using Object = Drop;
  std::uint32_t times;
  template <class At>
  KAON_DEVICE void operator()(At& at, Drop& self) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < times; ++i) at.raise(self.raised.flag);
  }
};

using DropEntries = gpu::DeviceEntries<MeetDrop, MeetPool, AddToDrop, ReadLanes, FlowThrough, Flow, Split, Patter,
                                       AddPart, AddWhen, RaiseDrop>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::DropEntries);
