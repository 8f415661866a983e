// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// One of the settings that a variable of the environment lists: NAME="devices=2,seed=7".
struct Setting {
  std::string_view variable;
  std::string_view example;  // for who has written a wrong one
  std::string_view item;     // "seed=7"
  std::string_view name;
  std::string_view value;

  /// Throws UsageError, with the variable, the item and the example around `why`.
  [[noreturn]] void refuse(std::string_view why) const;
  /// The value if it is a number from `least` to `most`; else as refuse().
  template <class Number>
  Number between(Number least, Number most) const {
    Number number{};
    const char* const end = value.data() + value.size();
    const auto [stop, fault] = std::from_chars(value.data(), end, number);
    if (fault == std::errc() && stop == end && number >= least && number <= most) return number;
    refuse(fmt::format("needs a number from {} to {}", least, most));
  }
};

/// Splits an item into name and value. Throws UsageError like Setting::refuse() if it has no value.
Setting split_setting(std::string_view variable, std::string_view example, std::string_view item);

/// Calls `apply` with each setting of the variable, in order; with none where it is not set.
template <class F>
void each_setting(const char* variable, std::string_view example, F&& apply) {
  const char* const text = std::getenv(variable);
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    apply(split_setting(variable, example, rest.substr(0, comma)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

}  // namespace kaon::runtime
