// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/flag_device.hpp"

namespace kaon::gpu {

/// A flag that a task waits for: until it has grown by `each` as often as the task says.
struct AwaitedFlag {
  FlagWord flag;
  std::uint32_t each = 1;       // what those who raise it add a time, together
  Scope scope = Scope::system;  // where they are
};

/// Several, in memory of the device. More than kCopied of them stay there, and as they are, while a task waits for
/// them.
struct AwaitedFlags {
  static constexpr std::uint32_t kCopied = 8;
  const AwaitedFlag* flags = nullptr;
  std::uint32_t count = 0;
};

}  // namespace kaon::gpu
