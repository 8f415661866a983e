// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/testing_settings.hpp"

#include <string>

#include "kaon/runtime/base/setting.hpp"

namespace kaon::runtime {
namespace {

bool is_second(const Setting& setting, const std::string& first, const std::string& second) {
  if (setting.value != first && setting.value != second) setting.refuse("needs " + first + " or " + second);
  return setting.value == second;
}

void apply(const Setting& setting, TestingSettings& settings) {
  if (setting.name == "payload_counter_bits")
    settings.payload_counter_bits = setting.between(4, 32);
  else if (setting.name == "stage_through")
    settings.stages_through_network = is_second(setting, "memory", "network");
  else if (setting.name == "ucx_host")
    settings.sends_tagged = is_second(setting, "am", "tag");
  else
    setting.refuse("is no setting");
}

}  // namespace

TestingSettings testing_settings() {
  TestingSettings settings;
  each_setting("KAON_TESTING", "payload_counter_bits=6,stage_through=network,ucx_host=tag",
               [&](const Setting& setting) { apply(setting, settings); });
  return settings;
}

}  // namespace kaon::runtime
