// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What a compiler calls a type, which tells a template of the standard from a class derived from it or like it, without
// a header of the standard's that declares the template.
namespace kaon::runtime::archive {

template <class T>
consteval const char* rendering() {
  return __PRETTY_FUNCTION__;
}

// Where the name of T begins in its rendering, "... [with T = std::vector<int>]": at one place for all types.
consteval std::size_t find_name() {
  const char* text = rendering<int>();
  std::size_t at = 0;
  while (text[at] != '=') {
    ++at;
  }
  return at + 2;
}
inline constexpr std::size_t kNameBegins = find_name();

// The name of T with its namespaces, and a bracket behind it.
template <class T>
inline constexpr const char* type_name = rendering<T>() + kNameBegins;

template <class T>
consteval bool is_named(const char* beginning) {
  for (const char* at = type_name<T>; *beginning != '\0'; ++at, ++beginning) {
    if (*at != *beginning) {
      return false;
    }
  }
  return true;
}

}  // namespace kaon::runtime::archive
