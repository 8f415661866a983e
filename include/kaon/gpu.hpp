// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything a program of chares needs to use devices, beside the last word of its main(): kaon::with_devices.
#include "kaon/gpu/backends/error.hpp"              // IWYU pragma: export
#include "kaon/gpu/buffer.hpp"                      // IWYU pragma: export
#include "kaon/gpu/channels/channel.hpp"            // IWYU pragma: export
#include "kaon/gpu/flag.hpp"                        // IWYU pragma: export
#include "kaon/gpu/kernels/kernel.hpp"              // IWYU pragma: export
#include "kaon/gpu/puts/prepared_puts.hpp"          // IWYU pragma: export
#include "kaon/gpu/puts/segment_table.hpp"          // IWYU pragma: export
#include "kaon/gpu/registration.hpp"                // IWYU pragma: export
#include "kaon/gpu/reserve.hpp"                     // IWYU pragma: export
#include "kaon/gpu/resident/host/resident.hpp"      // IWYU pragma: export
#include "kaon/gpu/segment.hpp"                     // IWYU pragma: export
#include "kaon/gpu/span.hpp"                        // IWYU pragma: export
#include "kaon/gpu/stream.hpp"                      // IWYU pragma: export
#include "kaon/runtime/exchange/payload_fetch.hpp"  // IWYU pragma: export
#include "kaon/runtime/payloads/sent.hpp"           // IWYU pragma: export
