// expect: make_link(): a scheduler of DeviceEntries<...> has no peers; list its entries as DeviceEntriesWithPeers<...>
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

void use(kaon::gpu::Resident<kaon::gpu::DeviceEntries<Add>>& cells) { (void)cells.make_link(); }
