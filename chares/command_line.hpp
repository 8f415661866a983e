// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kaon::chares {

/// Parses a main task's arguments with the program's own CLI11 parser. Nothing: go on. Else the exit code to return:
/// help was asked for, or the error has been printed.
std::optional<int> parse(CLI::App& app, std::vector<std::string> arguments);

}  // namespace kaon::chares
