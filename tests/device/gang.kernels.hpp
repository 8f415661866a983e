// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::testing {

/// Part of a row of numbers, each of which becomes the sum of itself and those beside it, again and again. It has them
/// twice, by the parity of the step; what is beside its ends is read where its neighbors have it.
struct Strip {
  std::uint32_t size;
  std::uint32_t* values[2];
  const std::uint32_t* left[2];   // the last number of the neighbor; nullptr: there is none
  const std::uint32_t* right[2];  // the first one
  gpu::FlagWord done;             // by each part, once a step
  gpu::AwaitedFlags before;       // of this strip and its neighbors

  KAON_DEVICE std::uint32_t at(unsigned parity, std::uint32_t i) const { return values[parity][i]; }
  KAON_DEVICE std::uint32_t sum_at(unsigned parity, std::uint32_t i) const {
    const std::uint32_t low = i > 0 ? at(parity, i - 1) : left[parity] != nullptr ? *left[parity] : 0;
    const std::uint32_t high = i + 1 < size ? at(parity, i + 1) : right[parity] != nullptr ? *right[parity] : 0;
    return low + at(parity, i) + high;
  }
};

/// One step of it; then the next one, up to `stop`. Returns the steps that were done.
struct Spread {
  using Object = Strip;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t step, stop;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Strip& self) const {
    const std::uint32_t first = self.size * at.part() / at.parts(), last = self.size * (at.part() + 1) / at.parts();
    for (auto i = first + static_cast<std::uint32_t>(at.lane()); i < last; i += static_cast<std::uint32_t>(at.lanes()))
      self.values[(step + 1) % 2][i] = self.sum_at(step % 2, i);
    at.sync();
    if (at.is_first()) {
      at.raise(self.done, 1, gpu::Scope::device);
      if (step + 1 < stop) at.when(self.before, step + 1, Spread{step + 1, stop});
    }
    return step + 1;
  }
};

/// Starts Spread when all have come to this step.
struct BeginSpread {
  using Object = Strip;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t step, stop;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Strip& self) const {
    if (at.is_first()) at.when(self.before, step, Spread{step, stop});
    return 0;
  }
};

/// Raises the flag `times` times, from the device that runs it.
struct Raise {
  using Object = Strip;
  std::uint32_t times;
  template <class At>
  KAON_DEVICE void operator()(At& at, Strip& self) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < times; ++i) at.raise(self.done);
  }
};

/// Counts in the first number, `count` times when the flags are reached, one after the other or at once.
struct CountWhen {
  using Object = Strip;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t times, count;
  template <class At>
  KAON_DEVICE void operator()(At& at, Strip& self) const;
};
struct CountOne {
  using Object = Strip;
  template <class At>
  KAON_DEVICE void operator()(At& at, Strip& self) const {
    if (at.is_first()) at.add_into(self.values[0], 1);
  }
};
template <class At>
KAON_DEVICE void CountWhen::operator()(At& at, Strip& self) const {
  if (!at.is_first()) return;
  for (std::uint32_t i = 0; i < count; ++i) at.when(self.before, times, CountOne{});
}

/// Sends an entry to a gang, from the device.
struct SendCount {
  using Object = Strip;
  gpu::DeviceObject<Strip> to;
  template <class At>
  KAON_DEVICE void operator()(At& at, Strip&) const {
    if (at.is_first()) at.send(to, CountOne{});
  }
};

/// Returns the first number, to which other entries may add; the parts of a gang return different values.
struct TakeCount {
  using Object = Strip;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Strip& self) const {
    return at.value_of(gpu::FlagWord{self.values[0]}) + 1000 * at.part();
  }
};

/// Goes on, with flags that are reached, until something was counted; returns that.
struct Linger {
  using Object = Strip;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE std::uint32_t operator()(At& at, Strip& self) const {
    const std::uint32_t count = self.values[0][0];
    if (at.is_first() && count == 0 && left > 0) at.when(self.before, 0, Linger{left - 1});
    return count;
  }
};

/// Sends itself to its own strip until something was counted; counts 100 when that has never come.
struct Insist {
  using Object = Strip;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, Strip& self) const {
    if (!at.is_first() || self.values[0][0] != 0) return;
    if (left > 0)
      at.send(at.self(), Insist{left - 1});
    else
      at.add_into(self.values[0], 100);
  }
};

using StripEntries =
    gpu::DeviceEntries<Spread, BeginSpread, Raise, CountWhen, CountOne, SendCount, TakeCount, Linger, Insist>;

}  // namespace kaon::testing

KAON_DEVICE_ENTRIES(kaon::testing::StripEntries);
