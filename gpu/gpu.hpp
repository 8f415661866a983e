// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything a program of chares needs to use devices. A program that includes this finds them set up on every PE.
#include "gpu/buffer.hpp"  // IWYU pragma: export
#include "gpu/error.hpp"   // IWYU pragma: export
#include "gpu/kernel.hpp"  // IWYU pragma: export
#include "gpu/platform.hpp"
#include "gpu/registration.hpp"  // IWYU pragma: export
#include "gpu/span.hpp"          // IWYU pragma: export
#include "gpu/stream.hpp"        // IWYU pragma: export
#include "runtime/later.hpp"     // IWYU pragma: export
#include "runtime/sent.hpp"      // IWYU pragma: export

namespace kaon::gpu {
/// Asks run() to set devices up.
inline const bool kIsUsed = announce_use();
}  // namespace kaon::gpu
