// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <system_error>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Advice to users when the system refuses to start a thread or a process.
inline constexpr const char* kThreadAdvice =
    "use fewer PEs or processes, or raise what forbids it: `ulimit -u`, `ulimit -v`, or how many tasks the control "
    "group may have (docker run --pids-limit)";

/// Throws the UsageError of a thread, or process, that the system has refused to start: "the thread of PE 3".
[[noreturn]] void throw_no_thread(std::string_view which, const std::system_error& error);

/// Throws it when no thread can be started now; for libraries that start one and do not survive a refusal.
void require_thread(std::string_view which);

}  // namespace kaon::runtime
