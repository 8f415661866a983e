// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <string_view>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// UCX's names for the means of a vendor.
struct DeviceMemory {
  ucs_memory_type_t type;      // of memory on its devices
  const char* transports;      // that processes of one host with its devices use
  std::string_view transport;  // the one of them that maps memory of a device into another process
};

const DeviceMemory& device_memory_of(DeviceVendor vendor);

// For messages to people: "NVIDIA", "AMD" or "none".
std::string_view name_of(DeviceVendor vendor);

}  // namespace kaon::machine_ucx
