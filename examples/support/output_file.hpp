// SPDX-License-Identifier: Apache-2.0
// Files that a run writes at its end: whether that will work is asked at its start.
#pragma once

#include <string>

namespace examples {

// Throws kaon::UsageError when `path` cannot be opened for writing. What is in it stays.
void require_writable(const std::string& path);

// Says what failed, from errno, and what to do.
[[noreturn]] void throw_unwritable(const std::string& path);

}  // namespace examples
