// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/quad.hpp"
#include "kaon/gpu/puts/put.hpp"

namespace kaon::gpu {

/// One prepared copy of a put. A copy cannot start again at once after its end, so each put has several, used in turns.
struct alignas(32) PutCopy {
  NativeCopy native = nullptr;
  std::uint32_t value = 0;  // what its flag becomes
  std::uint32_t use = 0;    // the number of its last use
  std::uint32_t ended = 0;  // of the last use that has ended; stored by the copy
};

/// The prepared copies of a list of puts, as one thread of the device at a time starts them: that of the engine, or one
/// of a kernel of the program whose list has no engine.
///
/// `Starter` is what the back end starts copies by, for sources of kernels with STARTS_COPIES (copy_starter.hpp).
struct PutStarts {
  PutCopy* copies = nullptr;      // those of put 0, of put 1 ...
  std::uint32_t* last = nullptr;  // of each put, which copy was started last
  std::uint32_t copies_of_each = 0;
  std::uint32_t puts = 0;

  /// Starts a put as PutRing::start() does. Waits up to 2 s for the end of its last start, so its flag never goes back.
  template <class Starter, class Context>
  KAON_DEVICE PutFault start(Context& at, std::uint32_t put, std::uint32_t value) const {
    using Words = typename Context::Words;
    if (put >= puts) return PutFault::no_such_put;
    PutCopy* const own = copies + std::size_t{put} * copies_of_each;
    const std::uint32_t before = last[put], next = before + 1 < copies_of_each ? before + 1 : 0;
    const NativeCopy native = own[next].native;  // read before the wait, so that both cross together
    if (!has_ended(at, own[before])) return PutFault::copy_does_not_end;
    last[put] = next;
    own[next].value = value;
    ++own[next].use;
    Words::fence(Scope::system);
    if (Starter::start(native)) return PutFault::none;
    const std::uint64_t end = Words::nanoseconds() + kPatienceNs;  // its last word may come before its end
    while (!Starter::start(native))
      if (Words::nanoseconds() > end) return PutFault::copy_does_not_start;
    return PutFault::none;
  }
  /// Waits until no copy is under way. False: one is for 2 s.
  template <class Context>
  KAON_DEVICE bool wait_for_all(Context& at) const {
    for (std::uint32_t i = 0; i < puts * copies_of_each; ++i)
      if (!has_ended(at, copies[i])) return false;
    return true;
  }

 private:
  static constexpr std::uint64_t kPatienceNs = WaitLimit{}.nanoseconds;

  template <class Context>
  KAON_DEVICE static bool has_ended(Context& at, const PutCopy& copy) {
    using Words = typename Context::Words;
    if (Words::load(&copy.ended, Scope::system) == copy.use) return true;
    const std::uint64_t end = Words::nanoseconds() + kPatienceNs;
    return at.template find<bool>([&](unsigned looks, bool& found) {
      found = Words::load(&copy.ended, Scope::system) == copy.use;
      return found || (looks % 256 == 0 && Words::nanoseconds() > end);
    });
  }
};

}  // namespace kaon::gpu
