// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/entry_name.hpp"

namespace kaon::runtime {

std::string readable_name(std::string_view rendering) {
  for (const std::string_view parameter : {"E = ", "F = "}) {  // of Entry and of Handler
    const auto found = rendering.find(parameter);
    if (found == rendering.npos) continue;
    std::string_view name = rendering.substr(found + parameter.size());
    name = name.substr(0, name.find_first_of(";,]"));
    if (name.starts_with('&')) name.remove_prefix(1);
    return std::string(name);
  }
  constexpr std::string_view kMade = "C = ";  // of Creation
  if (const auto found = rendering.find(kMade); found != rendering.npos) {
    const std::string_view name = rendering.substr(found + kMade.size());
    return "constructor of " + std::string(name.substr(0, name.find_first_of(";,]")));
  }
  return std::string(rendering);
}

}  // namespace kaon::runtime
