// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

class Pe;

enum WorkFlags : std::uint8_t {
  kIsMessage = 128,  // a Message, which a queue that ends must release
  kOwnsItself = 64,  // runs also when the queue ends, to release itself
};

/// Something a PE can run: a message, the continuation of a coroutine, a step of the runtime.
/// Embedded by its owner; in at most one queue at a time. `run` may destroy it.
struct Work {
  Work* next = nullptr;  // link of the inbound queue and of waiting lists
  void (*run)(Work& self, Pe& pe) = nullptr;
  std::int32_t priority = 0;  // smaller runs first
  std::uint8_t flags = 0;     // WorkFlags, and those of what it is part of
};

}  // namespace kaon::runtime
