// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Advice to users when the system refuses memory.
inline constexpr std::string_view kMemoryAdvice =
    "the system, or a limit such as `ulimit -v`, gives no more: use fewer PEs or processes on this host, or raise the "
    "limit";

// For handlers of errors when there may be no memory: nothing here takes any.

/// Ends the process at once with the code of `error`, after one line on standard error: "kaon: ", `who`, what the error
/// says and `where`. Of threads that come to their end together the first one does.
[[noreturn]] void end_by(const std::exception& error, std::string_view who, std::string_view where = {}) noexcept;

/// That line alone.
void print_error(const std::exception& error, std::string_view who, std::string_view where = {}) noexcept;

/// The same end of a process that no error has caused.
[[noreturn]] void end_with(int code, std::string_view text) noexcept;

/// Writes out what the program has printed, as far as its reader takes that at once.
void flush_without_waiting() noexcept;

}  // namespace kaon::runtime
