// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/reserve.hpp"

#include "kaon/gpu/platform/device_payloads.hpp"

namespace kaon::gpu {

void reserve(std::size_t bytes) {
  Device& device = this_device();
  if (!device.card().memory().reserve(bytes)) device.memory().pool().throw_out_of_memory(bytes);
}

}  // namespace kaon::gpu
