// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {
namespace closures {

template <class T>
constexpr std::string_view rendering() {
  return __PRETTY_FUNCTION__;
}

/// The name of T: what every rendering has around it is measured on a type whose name is known.
template <class T>
constexpr std::string_view name() {
  constexpr std::string_view kOfInt = rendering<int>();
  constexpr std::size_t kBefore = kOfInt.find("T = int") + 4;
  constexpr std::size_t kBehind = kOfInt.size() - kBefore - 3;
  const std::string_view text = rendering<T>();
  return text.substr(kBefore, text.size() - kBefore - kBehind);
}

/// g++ writes `f()::<lambda(int)>`, clang `(lambda at f.cpp:3:4)`. A template that has a lambda for an argument is none
/// itself: what the last bracket of the name belongs to decides.
constexpr bool is_name_of_lambda(std::string_view name) {
  if (name.ends_with(')')) return name.find("(lambda at ") != name.npos;
  if (!name.ends_with('>')) return false;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' && i > 0 && name[i - 1] == '-') continue;  // an arrow
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return name.substr(i + 1).starts_with("lambda(");
  }
  return false;
}

}  // namespace closures

/// Whether T is the type of a lambda, which need not be complete. There is no trait for this; compilers say it in the
/// name.
template <class T>
inline constexpr bool is_closure = std::is_class_v<T> && closures::is_name_of_lambda(closures::name<T>());

}  // namespace kaon::runtime
