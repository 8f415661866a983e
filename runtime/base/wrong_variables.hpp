// SPDX-License-Identifier: Apache-2.0
// Options that variables of the environment give; for the sources that declare options, no part of the public headers.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Returns the value of an option's environment variable; nullptr if there is none or it is empty.
inline const char* variable_of(const CLI::Option& option) {
  const std::string name = option.get_envname();
  const char* const value = name.empty() ? nullptr : std::getenv(name.c_str());
  return value != nullptr && *value != '\0' ? value : nullptr;
}

/// After app.parse(): throws CLI::ParseError for a variable whose value its option does not take. CLI11 does so itself
/// up to 2.3; from 2.4 on it passes over such a variable, as if it were not set.
inline void refuse_wrong_variables(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const char* const value = variable_of(*option);
    if (value == nullptr || option->count() > 0) continue;
    option->add_result(std::string(value));
    option->run_callback();
  }
}

/// After an error of app.parse() or the function above: the variable of the environment whose value is refused, as
/// "KAON_PES=abc"; empty when it is a word of the command line.
inline std::string refused_variable(CLI::App& app, const std::vector<std::string>& words) {
  const auto is_among_words = [&words](const CLI::Option& option) {
    return std::any_of(words.begin(), words.end(), [&option](const std::string& word) {
      return word.starts_with("-") && option.check_name(word.substr(0, word.find('=')));
    });
  };
  for (CLI::Option* option : app.get_options()) {
    const char* const value = variable_of(*option);
    if (value == nullptr || is_among_words(*option)) continue;
    try {
      option->clear();
      option->add_result(std::string(value));
      option->run_callback();
    } catch (const CLI::ParseError&) {
      return option->get_envname() + "=" + value;
    }
  }
  return {};
}

/// Returns the error message for the user. It names the environment variable if the refused value is from one.
inline std::string text_of(const CLI::ParseError& error, CLI::App& app, const std::vector<std::string>& words) {
  const std::string variable = refused_variable(app, words);
  return variable.empty() ? error.what() : "the variable " + variable + " of the environment: " + error.what();
}

}  // namespace kaon::runtime
