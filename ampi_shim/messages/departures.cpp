// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/departures.hpp"

#include "kaon/runtime/base/ticks.hpp"

namespace kaon::ampi {

// Not inlined: a stack may continue on another thread one day.
[[gnu::noinline]] Departures& Departures::here() noexcept {
  static thread_local Departures departures(static_cast<std::uint64_t>(runtime::ticks_per_us()));
  return departures;
}

}  // namespace kaon::ampi
