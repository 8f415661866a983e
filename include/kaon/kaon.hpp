// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything a program of chares needs.
#include "kaon/chares/waits/all_any.hpp"           // IWYU pragma: export
#include "kaon/chares/chare.hpp"                   // IWYU pragma: export
#include "kaon/chares/command_line.hpp"            // IWYU pragma: export
#include "kaon/chares/inbox.hpp"                   // IWYU pragma: export
#include "kaon/chares/collectives/operations.hpp"  // IWYU pragma: export
#include "kaon/chares/proxy.hpp"                   // IWYU pragma: export
#include "kaon/chares/run.hpp"                     // IWYU pragma: export
#include "kaon/chares/runtime.hpp"                 // IWYU pragma: export
#include "kaon/runtime/base/error.hpp"             // IWYU pragma: export
#include "kaon/runtime/base/options.hpp"           // IWYU pragma: export
#include "kaon/runtime/payloads/payload.hpp"       // IWYU pragma: export
#include "kaon/runtime/work/task.hpp"              // IWYU pragma: export
