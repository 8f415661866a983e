// expect: shared_by_process(): DeviceEntries<...> are of one PE; list them as DeviceEntriesWithGuests<...>
// SPDX-License-Identifier: Apache-2.0
#include <kaon/device_entry.hpp>
#include <kaon/gpu.hpp>

struct Cell {
  double value;
};
struct Add {
  using Object = Cell;
  double amount;
  template <class At>
  KAON_DEVICE void operator()(At&, Cell& self) const {
    self.value += amount;
  }
};

void use() { (void)kaon::gpu::Resident<kaon::gpu::DeviceEntries<Add>>::shared_by_process(); }
