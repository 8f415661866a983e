// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Ways that payloads take. The first ones are announced to other processes, by these numbers; those of device memory
/// are the numbers of the engines that move them.
enum class Route : std::uint8_t {
  inside,             // among the bytes of its message
  host,               // host memory, apart from its message
  direct,             // device memory to device memory
  staged_in_memory,   // through pinned memory that processes of a host share
  staged_by_network,  // through pinned memory and the network
  carried,            // small ones, device memory to device memory, by a kernel that runs already
  fetched,            // device memory to device memory, by a kernel of the receiver's
  // not announced: what is told of payloads afterwards
  network,      // as direct, but the network found no way around the host
  handed_over,  // device memory that its receiver took over as it was, within the process
  device_copy,  // one copy on the device, into a landing, within the process
};
inline constexpr std::size_t kRoutes = 10;

constexpr bool is_wire_route(Route route) { return route <= Route::fetched; }
/// True if an engine of the device layer moves payloads of this route.
constexpr bool is_engine(Route route) { return route >= Route::direct && is_wire_route(route); }

constexpr std::string_view name_of(Route route) {
  constexpr std::string_view kNames[kRoutes] = {
      "inside",  "host",    "direct",  "staged in memory", "staged by network",
      "carried", "fetched", "network", "handed over",      "device copy"};
  return kNames[static_cast<std::size_t>(route)];
}

}  // namespace kaon::runtime
