// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything a program of chares needs.
#include "chares/all_any.hpp"       // IWYU pragma: export
#include "chares/chare.hpp"         // IWYU pragma: export
#include "chares/command_line.hpp"  // IWYU pragma: export
#include "chares/inbox.hpp"         // IWYU pragma: export
#include "chares/operations.hpp"    // IWYU pragma: export
#include "chares/proxy.hpp"         // IWYU pragma: export
#include "chares/run.hpp"           // IWYU pragma: export
#include "chares/runtime.hpp"       // IWYU pragma: export
#include "runtime/error.hpp"        // IWYU pragma: export
#include "runtime/options.hpp"      // IWYU pragma: export
#include "runtime/payload.hpp"      // IWYU pragma: export
#include "runtime/task.hpp"         // IWYU pragma: export
