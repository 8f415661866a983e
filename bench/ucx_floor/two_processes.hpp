// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

namespace kaon::bench {

/// Runs `measure(socket, is_first)` in this process and in a child of it, which a socket connects, and returns what
/// main() does. Failures are printed under `program`, and end the other process.
int run_in_two_processes(const char* program, const std::function<void(int socket, bool is_first)>& measure);

}  // namespace kaon::bench
