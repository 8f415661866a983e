// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything a program of chares needs to use devices. A program that includes this finds them set up on every PE.
#include "kaon/gpu/backends/error.hpp"  // IWYU pragma: export
#include "kaon/gpu/buffer.hpp"          // IWYU pragma: export
#include "kaon/gpu/kernels/kernel.hpp"  // IWYU pragma: export
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/registration.hpp"                // IWYU pragma: export
#include "kaon/gpu/reserve.hpp"                     // IWYU pragma: export
#include "kaon/gpu/span.hpp"                        // IWYU pragma: export
#include "kaon/gpu/stream.hpp"                      // IWYU pragma: export
#include "kaon/runtime/exchange/payload_fetch.hpp"  // IWYU pragma: export
#include "kaon/runtime/payloads/sent.hpp"           // IWYU pragma: export

namespace kaon::gpu {
/// Asks run() to set devices up.
inline const bool kIsUsed = announce_use();
}  // namespace kaon::gpu
