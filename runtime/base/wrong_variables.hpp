// SPDX-License-Identifier: Apache-2.0
// Options that variables of the environment give; for the sources that declare options, no part of the public headers.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// After app.parse(): throws CLI::ParseError for a variable whose value its option does not take. CLI11 does so itself
/// up to 2.3; from 2.4 on it passes over such a variable, as if it were not set.
inline void refuse_wrong_variables(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string name = option->get_envname();
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value == nullptr || *value == '\0' || option->count() > 0) continue;
    option->add_result(std::string(value));
    option->run_callback();
  }
}

}  // namespace kaon::runtime
