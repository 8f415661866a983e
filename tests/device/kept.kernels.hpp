// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// A table that does not change, of so many numbers, and the one behind it.
template <std::size_t kNumbers>
struct Table {
  static constexpr bool kIsConstant = true;
  static constexpr std::size_t kSize = kNumbers;
  std::uint32_t numbers[kNumbers];
  std::uint32_t* sum;  // of what Walk has read
  const gpu::DeviceObject<Table>* next;
};
using SmallTable = Table<5>;
using LargeTable = Table<300>;  // too large to be kept near

/// One of its numbers, or, behind them, the sum so far.
template <class OneTable>
struct Read {
  using Object = OneTable;
  std::uint32_t place;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, const OneTable& self) const {
    return place < OneTable::kSize ? self.numbers[place] : at.value_of(gpu::FlagWord{self.sum});
  }
};

/// Adds numbers of this table and of those behind it, from one to the next on the device.
template <class OneTable>
struct Walk {
  using Object = OneTable;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, const OneTable& self) const {
    if (!at.is_first()) return;
    at.add_into(self.sum, self.numbers[left % OneTable::kSize]);
    if (left > 0) at.send(*self.next, Walk{left - 1});
  }
};

using TableEntries = gpu::DeviceEntries<Read<SmallTable>, Walk<SmallTable>, Read<LargeTable>, Walk<LargeTable>>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::TableEntries);
