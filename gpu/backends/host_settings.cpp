// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/runtime/base/setting.hpp"

namespace kaon::gpu {
namespace {

using runtime::Setting;

Location location_of(const Setting& setting) {
  if (setting.value == "pool") return Location::device_pool;
  if (setting.value == "managed") return Location::managed;
  setting.refuse("needs pool or managed");
}

double waits_of(const Setting& setting) {
  constexpr double kPatienceS = 10;
  if (setting.value == "waits") return kPatienceS;
  setting.refuse("needs waits");
}

void apply(const Setting& setting, HostSettings& settings) {
  if (setting.name == "devices") {
    settings.devices = setting.between(1, 64);
  } else if (setting.name == "memory_mib") {
    settings.memory_bytes = setting.between(std::size_t{1}, std::size_t{1} << 24) << 20;
  } else if (setting.name == "seed") {
    settings.seed = setting.between(std::uint64_t{0}, ~std::uint64_t{0});
  } else if (setting.name == "delay_us") {
    settings.delay_us = setting.between(0.0, 1e6);
  } else if (setting.name == "poison") {
    settings.poison = setting.between(0, 1) != 0;
  } else if (setting.name == "queues") {
    settings.queues = setting.between(0, 1024);
  } else if (setting.name == "peers") {
    settings.has_peer_access = setting.between(0, 1) != 0;
  } else if (setting.name == "foreign") {
    settings.foreign = location_of(setting);
  } else if (setting.name == "free") {
    settings.free_waits_s = waits_of(setting);
  } else {
    setting.refuse("is no setting");
  }
}

}  // namespace

HostSettings host_settings(const char* variable) {
  HostSettings settings;
  runtime::each_setting(variable, "devices=2,seed=7,delay_us=50,memory_mib=64,poison=0",
                        [&](const Setting& setting) { apply(setting, settings); });
  return settings;
}

}  // namespace kaon::gpu
