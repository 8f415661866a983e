// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::gpu {

/// The implementation that runs kernels and copies. `host` emulates a device with threads. It shows that a program is
/// correct. It does not show how fast it is, how blocks share a processor, or in which order a link delivers.
enum class Backend : std::uint8_t { host, cuda, hip };

constexpr std::string_view name_of(Backend backend) {
  constexpr std::string_view kNames[] = {"host", "cuda", "hip"};
  return kNames[static_cast<std::size_t>(backend)];
}

/// True if this program contains the back end; always true for `host`.
bool is_built(Backend backend);

}  // namespace kaon::gpu
