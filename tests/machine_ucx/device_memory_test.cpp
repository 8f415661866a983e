// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/device_memory.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

TEST_CASE("each vendor's memory is of a type of its own and travels by its own transports", "[machine_ucx][device]") {
  CHECK(device_memory_of(DeviceVendor::nvidia).type == UCS_MEMORY_TYPE_CUDA);
  CHECK(device_memory_of(DeviceVendor::amd).type == UCS_MEMORY_TYPE_ROCM);
  CHECK(device_memory_of(DeviceVendor::none).type == UCS_MEMORY_TYPE_HOST);
  for (const DeviceVendor vendor : {DeviceVendor::nvidia, DeviceVendor::amd, DeviceVendor::none}) {
    const DeviceMemory& memory = device_memory_of(vendor);
    CHECK(std::string(memory.transports).find(memory.transport) != std::string::npos);
    CHECK(std::string(memory.transports).starts_with("posix,cma"));
    CHECK(std::string(memory.transports).find("tcp") == std::string::npos);
  }
}
