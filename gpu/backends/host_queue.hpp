// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu {

class HostFibres;

/// Puts a function behind what was given to a stream of the emulation. What it throws is a fault of the device: from
/// then on each call that asks how far the device has got throws it.
void enqueue_on_host(NativeStream stream, std::function<void()> work);
/// The same of work that waits for what others do meanwhile: it is called until it says `ended`. A stream that has no
/// thread of its own calls it once in each of its turns.
enum class HostStep : std::uint8_t { ended, advanced, waits };
void enqueue_steps_on_host(NativeStream stream, std::function<HostStep()> work);

/// Starts a copy (Driver::prepare_copy()) as a kernel of a device does. Any thread, or fibre.
void start_copy_on_host(NativeCopy copy);

/// Lets the emulation say that a library captures a graph on the stream, or no longer does; nothing else changes.
void let_capture_on_host(NativeStream stream, bool does);

/// For such a function: what runs many threads in its place.
HostFibres& fibres_of(NativeStream stream);

inline constexpr int kPoison = 0xDB;  // the bytes of memory that nobody has written

}  // namespace kaon::gpu
