// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/points.hpp"

#include "examples/jacobi3d/device/device_points.hpp"
#include "examples/jacobi3d/host/host_points.hpp"

namespace jacobi3d {

std::unique_ptr<Points> make_points(const Options& options, const Triple& block, bool is_on_device) {
  if (is_on_device) return std::make_unique<DevicePoints>(options, block);
  return std::make_unique<HostPoints>(options, block);
}

}  // namespace jacobi3d
