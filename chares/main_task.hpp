// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "kaon/chares/runtime.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// The main task of a program: runs on PE 0; when it returns, the run ends with its result as exit code.
using MainTask = std::function<Task<int>(Runtime&)>;

}  // namespace kaon::chares
