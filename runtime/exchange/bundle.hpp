// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

/// A list of Work linked from `newest` by `next` towards `oldest`.
struct WorkChain {
  Work* newest = nullptr;
  Work* oldest = nullptr;
};

/// Messages between two threads, side by side: the bytes of each from Work::priority on, whose length its entry knows.
/// It is opened as it arrives, and each message gets memory of the receiver's.
struct Bundle : Work {
  static constexpr std::size_t kBytes = 1984;  // with its header, the pool's largest small block

  std::uint16_t home = 0;  // pool that the memory belongs to
  std::uint32_t used = 0;
  std::byte bytes[kBytes];
};

/// Puts the plain messages of a chain, which begins with the newest, into bundles and releases them; the rest stays
/// what it is, and all keeps its order.
WorkChain bundle(Work* newest, Pool& pool);

}  // namespace kaon::runtime
