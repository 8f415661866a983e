// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// A counter on a device, and who is told of it.
struct Cell {
  std::uint64_t value;
  gpu::DeviceObject<Cell> next;
  gpu::HostTarget<std::uint32_t, std::uint64_t> told;
  std::uint64_t* sum;  // of what was added; nullptr: nobody wants it
};

struct Add {
  using Object = Cell;
  std::uint64_t amount;
  template <class At>
  KAON_DEVICE std::uint64_t operator()(At& at, Cell& self) const {
    if (at.is_first()) self.value += amount;
    if (at.is_first() && self.sum != nullptr) *self.sum = self.value;
    at.sync();
    return self.value;
  }
};

/// Goes from cell to cell, as often as it says; the last one tells the host.
struct Hop {
  using Object = Cell;
  std::uint32_t left;
  std::uint64_t sum;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    if (!at.is_first()) return;
    self.value += 1;
    if (left > 0)
      at.send(self.next, Hop{left - 1, sum + self.value});
    else
      at.tell(self.told, 7U, sum + self.value);
  }
};

/// Sets the next cell.
struct Join {
  using Object = Cell;
  gpu::DeviceObject<Cell> next;
  gpu::HostTarget<std::uint32_t, std::uint64_t> told;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    if (!at.is_first()) return;
    self.next = next;
    self.told = told;
  }
};

/// Tells the host `times` times, counting.
struct Report {
  using Object = Cell;
  std::uint32_t times;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < times; ++i) at.tell(self.told, i, self.value);
  }
};

/// Two more of itself until `depth` is 0: to this cell and to the next.
struct Grow {
  using Object = Cell;
  std::uint32_t depth;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    if (!at.is_first()) return;
    self.value += 1;
    if (depth == 0) return;
    at.send(self.next, Grow{depth - 1});
    at.send(at.self(), Grow{depth - 1});
  }
};

/// Sends itself to its own cell until the cell has been stopped, and then tells the host.
struct Cycle {
  using Object = Cell;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    if (!at.is_first()) return;
    if (self.value == 0)
      at.send(at.self(), Cycle{});
    else
      at.tell(self.told, 1U, self.value);
  }
};

/// Sends to whatever it is given.
struct Pass {
  using Object = Cell;
  gpu::DeviceObject<Cell> to;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell&) const {
    if (at.is_first()) at.send(to, Add{1});
  }
};

using CellEntries = gpu::DeviceEntries<Add, Hop, Join, Report, Grow, Cycle, Pass>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::CellEntries);
