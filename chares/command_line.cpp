// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

std::optional<int> parse(CLI::App& app, std::vector<std::string> arguments) {
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
}

}  // namespace kaon::chares
