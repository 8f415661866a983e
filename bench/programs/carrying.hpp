// SPDX-License-Identifier: Apache-2.0
// The least that a PE needs for small payloads to be carried: a resident scheduler, with an entry that nobody sends.
#pragma once

#include <kaon/device_entry.hpp>

namespace kaon::bench {

struct Rest {};

struct Wake {
  using Object = Rest;
  template <class At>
  KAON_DEVICE void operator()(At&, Rest&) const {}
};

using CarryingEntries = gpu::DeviceEntries<Wake>;

}  // namespace kaon::bench
