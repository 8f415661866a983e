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

std::string_view type_in(std::string_view rendering, std::string_view parameter) noexcept {
  constexpr std::string_view kEquals = " = ";
  for (auto at = rendering.find(parameter); at != rendering.npos; at = rendering.find(parameter, at + 1)) {
    const std::string_view rest = rendering.substr(at + parameter.size());
    if (rest.starts_with(kEquals)) return value_of(rest.substr(kEquals.size()));
  }
  return rendering;
}

std::string readable_type(std::string_view rendering, std::string_view parameter) {
  return std::string(type_in(rendering, parameter));
}

EntryName entry_name(std::string_view rendering) noexcept {
  for (const std::string_view parameter : {"E", "F"}) {  // of Entry and of RemoteProcedure
    std::string_view name = type_in(rendering, parameter);
    if (name == rendering) continue;
    if (name.starts_with('&')) name.remove_prefix(1);
    return {{}, name};
  }
  const std::string_view chare = type_in(rendering, "C");
  if (chare == rendering) return {{}, rendering};
  if (rendering.find("SkippedTurn<") != rendering.npos)
    return {"an ordered entry, which could not be sent, of ", chare};
  return {"constructor of ", chare};  // of Creation and its like
}

std::string readable_name(std::string_view rendering) {
  const EntryName parts = entry_name(rendering);
  return std::string(parts.before).append(parts.name);
}

}  // namespace kaon::runtime
