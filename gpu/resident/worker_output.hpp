// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/resident_view.hpp"

namespace kaon::gpu {

/// How tasks and notices leave a worker. By any thread of its block.
template <class Words>
class WorkerOutput {
 public:
  /// `held`: how many tasks the worker holds, in memory that its block shares.
  KAON_DEVICE WorkerOutput(const ResidentView& view, std::uint32_t worker, std::uint32_t& held)
      : view_(view), worker_(worker), held_(held) {}

  /// `worker`: with the number of the scheduler, as an object has it.
  KAON_DEVICE void send(std::uint32_t worker, const Command& command) const {
    const std::uint32_t to = task::worker_of(command);
    if (worker >> task::kWorkerShift != view_.serial)
      return fail(ResidentFault::foreign_object, task::entry_of(command));
    const CommandRing ring = view_.from_device(to);
    Words::count_relaxed(&view_.shared->activity, std::uint64_t{1} << 32);  // before anybody can finish it
    const std::uint32_t position = Words::add(&view_.workers[to].made, 1);
    if (ring.has_room<Words>(position))
      ring.put<Words>(position, command);
    else
      hold({command, position});
  }
  /// Where the next notice goes.
  KAON_DEVICE std::uint32_t next_notice() const { return Words::add(&view_.shared->notices, 1); }
  KAON_DEVICE bool can_tell(std::uint32_t position) const { return view_.to_host().has_room<Words>(position); }
  KAON_DEVICE void tell(std::uint32_t position, const Command& command) const {
    view_.to_host().put<Words>(position, command);
  }
  KAON_DEVICE void fail(ResidentFault fault, std::uint32_t entry) const {
    Words::store(&view_.host->faulty_entry, entry, Scope::system);
    Words::store(&view_.host->fault, static_cast<std::uint32_t>(fault), Scope::system);
    Words::store(&view_.shared->park, static_cast<std::uint32_t>(Park::now), Scope::device);
  }

  /// All leave: what is sent or told now is lost.
  KAON_DEVICE bool has_failed() const {
    return Words::peek(&view_.shared->park) == static_cast<std::uint32_t>(Park::now);
  }
  KAON_DEVICE bool is_holding() const { return Words::peek(&held_) > 0; }
  /// Tasks that have room by now; by one thread, when no other sends.
  KAON_DEVICE void pass_on() const {
    for (std::uint32_t i = held_; i-- > 0;) {
      const HeldTask task = tasks()[i];
      const CommandRing ring = view_.from_device(task::worker_of(task.command));
      if (!ring.has_room<Words>(task.position)) continue;
      ring.put<Words>(task.position, task.command);
      tasks()[i] = tasks()[--held_];
    }
  }
  KAON_DEVICE bool can_pass_on() const {
    for (std::uint32_t i = 0; i < held_; ++i)
      if (view_.from_device(task::worker_of(tasks()[i].command)).template has_room<Words>(tasks()[i].position))
        return true;
    return false;
  }

  KAON_DEVICE const ResidentView& view() const { return view_; }
  KAON_DEVICE std::uint32_t worker() const { return worker_; }

 private:
  KAON_DEVICE HeldTask* tasks() const { return view_.held + std::size_t{worker_} * view_.held_capacity; }
  KAON_DEVICE void hold(const HeldTask& task) const {
    const std::uint32_t place = Words::add_in_block(&held_, 1);
    if (place < view_.held_capacity) {
      tasks()[place] = task;
      return;
    }
    Words::set(&held_, view_.held_capacity);
    fail(ResidentFault::held_too_many, task::entry_of(task.command));
  }

  const ResidentView& view_;
  std::uint32_t worker_;
  std::uint32_t& held_;
};

}  // namespace kaon::gpu
