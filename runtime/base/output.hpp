// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Writes out what the program has printed and the libraries of C and C++ still hold, for a process that is about to
/// end without its usual clean-up. A reader that takes nothing and a thread that holds a stream for ever cost `limit`
/// and no more; then it returns false.
bool flush_output(std::chrono::milliseconds limit);

/// Writes out what the program has printed, as long as that takes. Throws std::runtime_error when some of it is lost:
/// the disk is full, say.
void finish_output();

}  // namespace kaon::runtime
