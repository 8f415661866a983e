// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/device_memory.hpp"

namespace kaon::machine_ucx {
namespace {

// Shared memory of one host and copies between its processes. No sysv: its segments have names that outlive a killed
// process.
constexpr DeviceMemory kOfTheHost{UCS_MEMORY_TYPE_HOST, "posix,cma", "cma"};
constexpr DeviceMemory kOfNvidia{UCS_MEMORY_TYPE_CUDA, "posix,cma,cuda_copy,cuda_ipc", "cuda_ipc"};
constexpr DeviceMemory kOfAmd{UCS_MEMORY_TYPE_ROCM, "posix,cma,rocm_copy,rocm_ipc", "rocm_ipc"};

}  // namespace

const DeviceMemory& device_memory_of(DeviceVendor vendor) {
  switch (vendor) {
    case DeviceVendor::nvidia:
      return kOfNvidia;
    case DeviceVendor::amd:
      return kOfAmd;
    case DeviceVendor::none:
      break;
  }
  return kOfTheHost;
}

std::string_view name_of(DeviceVendor vendor) {
  switch (vendor) {
    case DeviceVendor::nvidia:
      return "NVIDIA";
    case DeviceVendor::amd:
      return "AMD";
    case DeviceVendor::none:
      break;
  }
  return "none";
}

}  // namespace kaon::machine_ucx
