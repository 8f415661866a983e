// SPDX-License-Identifier: Apache-2.0
// In place of vendor_*.cpp, in a build that has neither CUDA nor HIP.
#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {

std::unique_ptr<Driver> make_vendor_driver(std::string& why) {
  why = "this build has neither CUDA nor HIP; build with nvcc or hipcc to get one of them";
  return nullptr;
}

}  // namespace kaon::gpu
