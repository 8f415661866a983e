// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/testing_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

[[noreturn]] void refuse(std::string_view item, const std::string& why) {
  throw UsageError("KAON_TESTING: '" + std::string(item) + "' " + why);
}

bool is_second(std::string_view item, std::string_view value, std::string_view first, std::string_view second) {
  if (value != first && value != second) refuse(item, "needs " + std::string(first) + " or " + std::string(second));
  return value == second;
}

int counter_bits(std::string_view item, std::string_view value) {
  int bits = 0;
  const auto [stop, fault] = std::from_chars(value.data(), value.data() + value.size(), bits);
  if (fault != std::errc() || stop != value.data() + value.size() || bits < 4 || bits > 32)
    refuse(item, "needs a number from 4 to 32");
  return bits;
}

void apply(std::string_view item, TestingSettings& settings) {
  const std::size_t equals = std::min(item.find('='), item.size());
  const std::string_view name = item.substr(0, equals);
  const std::string_view value = item.substr(std::min(equals + 1, item.size()));
  if (name == "payload_counter_bits")
    settings.payload_counter_bits = counter_bits(item, value);
  else if (name == "stage_through")
    settings.stages_through_network = is_second(item, value, "memory", "network");
  else if (name == "ucx_host")
    settings.sends_tagged = is_second(item, value, "am", "tag");
  else
    refuse(item, "is no setting; there are payload_counter_bits, stage_through, ucx_host");
}

}  // namespace

TestingSettings testing_settings() {
  TestingSettings settings;
  const char* const given = std::getenv("KAON_TESTING");
  std::string_view rest = given == nullptr ? "" : given;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    apply(rest.substr(0, comma), settings);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return settings;
}

}  // namespace kaon::runtime
