// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

[[noreturn]] void refuse(std::string_view variable, std::string_view item, std::string_view why) {
  throw UsageError(fmt::format("{}: '{}' {}; write it as in \"devices=2,seed=7,delay_us=50,memory_mib=64,poison=0\"",
                               variable, item, why));
}

struct Setting {
  std::string_view variable, item, name, value;

  template <class Number>
  Number between(Number least, Number most) const {
    Number number{};
    const char* const end = value.data() + value.size();
    const auto [stop, fault] = std::from_chars(value.data(), end, number);
    if (fault == std::errc() && stop == end && number >= least && number <= most) return number;
    refuse(variable, item, fmt::format("needs a number from {} to {}", least, most));
  }
};

Location location_of(const Setting& setting) {
  if (setting.value == "pool") return Location::device_pool;
  if (setting.value == "managed") return Location::managed;
  refuse(setting.variable, setting.item, "needs pool or managed");
}

double waits_of(const Setting& setting) {
  constexpr double kPatienceS = 10;
  if (setting.value == "waits") return kPatienceS;
  refuse(setting.variable, setting.item, "needs waits");
}

Setting split(std::string_view variable, std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) refuse(variable, item, "has no value");
  return {variable, item, item.substr(0, equals), item.substr(equals + 1)};
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
    refuse(setting.variable, setting.item, "is no setting");
  }
}

}  // namespace

HostSettings host_settings(const char* variable) {
  HostSettings settings;
  const char* const text = std::getenv(variable);
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    apply(split(variable, rest.substr(0, comma)), settings);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return settings;
}

}  // namespace kaon::gpu
