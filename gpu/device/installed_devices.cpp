// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/installed_devices.hpp"

#include <fstream>
#include <string>
#include <string_view>

namespace kaon::gpu {
namespace {

using Path = std::filesystem::path;

// 0 for a folder that is not there.
template <class Predicate>
int count_entries(const Path& folder, Predicate is_device) {
  std::error_code none;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) count += is_device(entry.path()) ? 1 : 0;
  return count;
}

// Processors are nodes as well, without SIMD units. Properties of a device that is closed to us cannot be read.
bool is_amd_device(const Path& node) {
  std::ifstream properties(node / "properties");
  std::string name;
  for (long value = 0; properties >> name >> value;)
    if (name == "simd_count") return value > 0;
  return false;
}

// "nvidia0", not "nvidiactl".
bool is_nvidia_device(const Path& file) {
  constexpr std::string_view kPrefix = "nvidia";
  const std::string name = file.filename().string();
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

// The second is for sandboxes that show devices and nothing of their driver.
int nvidia_devices(const Path& root) {
  const int known = count_entries(root / "proc/driver/nvidia/gpus", [](const Path&) { return true; });
  return known > 0 ? known : count_entries(root / "dev", is_nvidia_device);
}

}  // namespace

int installed_devices(Backend vendor, const Path& root) {
  switch (vendor) {
    case Backend::cuda:
      return nvidia_devices(root);
    case Backend::hip:
      return count_entries(root / "sys/class/kfd/kfd/topology/nodes", is_amd_device);
    case Backend::host:
      break;
  }
  return 0;
}

}  // namespace kaon::gpu
