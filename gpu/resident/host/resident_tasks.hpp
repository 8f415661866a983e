// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/gpu/resident/host/task_queue.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::gpu {

/// The tasks that one PE gives a resident kernel: in its rings to the dispatcher, or here while those are full.
class ResidentTasks {
 public:
  void add(const Command& command, bool is_urgent) { (is_urgent ? urgent_ : queue_).add(command); }
  /// Puts as many into the rings of the member as there is room for. True: one was.
  bool put(const ResidentView& view, std::uint32_t member, bool has_urgent);
  /// The number of tasks that are in a ring, or were.
  std::uint32_t given() const { return queue_.put() + urgent_.put(); }
  /// The number of tasks that wait here because the ring is full.
  std::size_t waiting() const { return queue_.waiting() + urgent_.waiting(); }
  /// True: a launch that has ended left before it had seen the last of them. Of the kernel's owner.
  bool are_left(const PinnedWords& host) const;

  /// Resumes the waiter when no task waits any more.
  void await_room(Waiter& waiter) { wanting_room_.push_back(&waiter); }
  void forget_waiter(const Waiter& waiter) noexcept { std::erase(wanting_room_, &waiter); }
  void resume_waiters();

 private:
  TaskQueue queue_, urgent_;
  std::vector<Waiter*> wanting_room_;
};

}  // namespace kaon::gpu
