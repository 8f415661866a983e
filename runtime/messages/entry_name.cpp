// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/entry_name.hpp"

namespace kaon::runtime {
namespace {

/// What begins at `rendering`, up to the comma, semicolon or bracket that ends it; those inside of it do not.
std::string_view value_of(std::string_view rendering) {
  int depth = 0;
  for (std::size_t i = 0; i < rendering.size(); ++i) {
    const char c = rendering[i];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == ';' || c == ']')) return rendering.substr(0, i);
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
  }
  return rendering;
}

}  // namespace

std::string readable_type(std::string_view rendering, std::string_view parameter) {
  const std::string assignment = std::string(parameter) + " = ";
  const auto found = rendering.find(assignment);
  return std::string(found != rendering.npos ? value_of(rendering.substr(found + assignment.size())) : rendering);
}

std::string readable_name(std::string_view rendering) {
  for (const std::string_view parameter : {"E", "F"}) {  // of Entry and of RemoteProcedure
    std::string name = readable_type(rendering, parameter);
    if (name == rendering) continue;
    if (name.starts_with('&')) name.erase(0, 1);
    return name;
  }
  const std::string made = readable_type(rendering, "C");  // of Creation
  return made != rendering ? "constructor of " + made : made;
}

}  // namespace kaon::runtime
