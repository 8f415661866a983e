// SPDX-License-Identifier: Apache-2.0
// What an option that is a time takes; for the sources that declare options, no part of the public headers.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kaon::runtime {

/// A number between the two. CLI11's own range takes "nan", too, which compares with nothing.
inline CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](std::string& text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= least && number <= most) return {};
    return text + " is no number from " + CLI::detail::to_string(least) + " to " + CLI::detail::to_string(most);
  };
  return CLI::Validator(check, "NUMBER");
}

}  // namespace kaon::runtime
