// SPDX-License-Identifier: Apache-2.0
// What a resident kernel tells the host.
#include <fmt/format.h>

#include <utility>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

constexpr unsigned kNoticesATurn = 64;  // so that others of the PE come between
constexpr std::size_t kMostTargets = (1U << notice::kSerialShift) - 1;

}  // namespace

bool ResidentScheduler::has_notices() const {
  HostWords::Line line;
  view().to_member(number_).look_at<HostWords>(notices_taken_, line);
  return line.is_of(epoch_at(notices_taken_));
}

bool ResidentScheduler::take_notice(Command& notice) {
  HostWords::Line line;
  const CommandRing ring = view().to_member(number_);
  ring.look_at<HostWords>(notices_taken_, line);
  if (!line.is_of(epoch_at(notices_taken_))) return false;
  ring.take<HostWords>(line, notice);
  ring.free<HostWords>(++notices_taken_);
  return true;
}

void ResidentScheduler::deliver() {
  deliver_.is_queued = false;
  Command notice;
  for (unsigned i = 0; i < kNoticesATurn && !must_drop(); ++i) {
    if (!take_notice(notice)) return;
    deliver_.is_running = true;
    tell(notice);  // what it throws ends the run
    deliver_.is_running = false;
    drop_targets();  // it may have given the scheduler up, and asked for it again
  }
  if (must_drop()) return;
  deliver_.is_queued = true;
  device_.pe().enqueue(deliver_);
}

bool ResidentScheduler::must_drop() const { return is_retired_ || is_stopped_; }

// Entries that tell the host must not wait for it.
void ResidentScheduler::drop_notices() {
  for (Command notice; take_notice(notice);) continue;
}

void ResidentScheduler::tell(const Command& notice) {
  const auto reply = command_as<ReplyNotice>(notice);
  const std::uint32_t ticket = reply.ticket & member::kMostTickets;
  if (reply.target <= notice::kReplyOfPart && calls_.has(ticket))
    return calls_.answer(ticket, reply.target == notice::kReply ? reply.values : nullptr);
  const auto [target, unused, values] = command_as<TargetNotice>(notice);
  const std::size_t place = (target & ((1U << notice::kSerialShift) - 1)) - 1;
  if (target >> notice::kSerialShift != view().serial + number_ || place >= targets_.size())
    throw UsageError(fmt::format("an entry of device {} told a HostTarget that on_host() of its scheduler has not made",
                                 device_.number()));
  if (place >= gone_targets_) targets_[place]->take(values);
}

// Their numbers are not used again: the device may still tell them something when this PE has come back.
void ResidentScheduler::drop_targets() {
  for (; dropped_targets_ < gone_targets_; ++dropped_targets_) targets_[dropped_targets_].reset();
}

std::uint32_t ResidentScheduler::add_target(std::unique_ptr<NoticeTarget> target) {
  if (targets_.size() == kMostTargets)
    throw UsageError(
        fmt::format("on_host() of a resident scheduler was called {} times by this PE, and the device knows no more "
                    "targets apart: they stay as long as the scheduler, so make each once",
                    kMostTargets));
  targets_.push_back(std::move(target));
  return (view().serial + number_) << notice::kSerialShift | static_cast<std::uint32_t>(targets_.size());
}

}  // namespace kaon::gpu
