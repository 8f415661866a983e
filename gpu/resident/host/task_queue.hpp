// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/wire/command_ring.hpp"

namespace kaon::gpu {

/// Tasks of the host for a ring of the device, in their order; those that find it full wait here.
class TaskQueue {
 public:
  void add(const Command& command) { waiting_.push_back(command); }
  /// Puts as many tasks as there is room for. True: at least one.
  bool put_into(const CommandRing& ring) {
    const std::uint32_t before = put_;
    while (!waiting_.empty() && ring.has_room<HostWords>(put_)) {
      ring.put<HostWords>(put_++, waiting_.front());
      waiting_.pop_front();
    }
    return put_ != before;
  }
  std::size_t waiting() const { return waiting_.size(); }
  /// How many are in the ring, or were.
  std::uint32_t put() const { return put_; }

 private:
  std::deque<Command> waiting_;
  std::uint32_t put_ = 0;
};

}  // namespace kaon::gpu
