// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Messages to the user go to stderr, with the process' number. Levels as Options::log_level.
enum class LogLevel : std::uint8_t { debug, info, warn };
void set_up_log(const std::string& level, int process);
/// For messages that cost something to make.
bool is_logged(LogLevel level);
void log_debug(std::string_view text);
void log_info(std::string_view text);
void log_warn(std::string_view text);
void log_error(std::string_view text);

}  // namespace kaon::runtime
