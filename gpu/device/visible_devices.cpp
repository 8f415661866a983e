// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/visible_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "kaon/gpu/device/installed_devices.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

std::optional<std::string> value_of(const char* variable) {
  const char* const value = variable != nullptr ? std::getenv(variable) : nullptr;
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// A number, or the name that the vendor gives to a device or to a part of one.
bool is_device(std::string_view entry) {
  const auto is_digit = [](unsigned char letter) { return std::isdigit(letter) != 0; };
  return entry.starts_with("GPU-") || entry.starts_with("MIG-") ||
         (!entry.empty() && std::all_of(entry.begin(), entry.end(), is_digit));
}

bool ends_list(std::string_view entry) { return entry.starts_with('-') || entry == "NoDevFiles"; }

std::vector<std::string> numbered(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

VisibilityVariables visibility_variables(Backend vendor) {
  if (vendor == Backend::hip) return {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"};
  return {"CUDA_VISIBLE_DEVICES", nullptr};
}

std::vector<std::string> visible_entries(std::string_view variable, std::string_view list) {
  std::vector<std::string> entries;
  for (std::string_view rest = list; !list.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view entry = trimmed(rest.substr(0, comma));
    if (ends_list(entry)) break;
    if (!is_device(entry))
      throw UsageError(
          fmt::format("{}={}: '{}' names no device, and would hide all that follow it; write numbers or "
                      "names that begin with GPU- or MIG-, separated by commas",
                      variable, list, entry));
    entries.emplace_back(entry);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  return entries;
}

std::vector<std::string> visible_devices(Backend vendor, int installed) {
  const auto [first, below] = visibility_variables(vendor);
  if (const auto list = value_of(first)) return visible_entries(first, *list);
  if (const auto list = value_of(below)) return numbered(static_cast<int>(visible_entries(below, *list).size()));
  return numbered(installed);
}

std::string device_of(const std::vector<std::string>& devices, const Seat& seat) {
  if (devices.empty()) return {};
  return devices[static_cast<std::size_t>(seat.place_on_host) % devices.size()];
}

std::string sharing_warning(std::size_t devices, bool are_given, const Seat& seat) {
  if (seat.place_on_host != 0 || devices == 0 || devices >= static_cast<std::size_t>(seat.processes_on_host)) return {};
  return fmt::format(
      "{} processes share {} {}, which costs 0.1 ms a message; start one process for each device and use --pes for "
      "more "
      "PEs{}",
      seat.processes_on_host, devices, devices == 1 ? "device and take turns on it" : "devices and take turns on them",
      are_given ? ". Never mind if every process was given a list of visible devices of its own" : "");
}

std::string choose_visible_device(Backend vendor, const Seat& seat) {
  const std::vector<std::string> devices = visible_devices(vendor, installed_devices(vendor));
  if (seat.processes_on_host < 2 || devices.empty()) return {};
  const char* const variable = visibility_variables(vendor).first;
  const bool are_given = value_of(variable).has_value();
  ::setenv(variable, device_of(devices, seat).c_str(), 1);
  return sharing_warning(devices.size(), are_given, seat);
}

}  // namespace kaon::gpu
