// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/wire/resident_view.hpp"

namespace kaon::gpu {

/// The ring of urgent tasks of one worker, as its first warp looks at it, all of whose threads call each function.
template <class Words>
class UrgentInbox {
 public:
  KAON_DEVICE UrgentInbox(const ResidentView& view, std::uint32_t worker)
      : view_(view), worker_(worker), taken_(view.workers[worker].urgent_head) {}
  /// True if there is a task. Changes nothing.
  KAON_DEVICE bool find() const {
    typename Words::Line line;
    view_.urgent(worker_).template look_at<Words>(taken_, line);
    return line.is_of(epoch_at(taken_));
  }
  /// Copies it to memory that the block shares.
  KAON_DEVICE void take(Command& command) {
    const CommandRing ring = view_.urgent(worker_);
    ring.template take_by_second_look<Words>(taken_, command);
    ++taken_;
    if (Words::lane() == 0) ring.template free<Words>(taken_);
  }

 private:
  const ResidentView& view_;
  std::uint32_t worker_;
  std::uint32_t taken_;
};

/// Stands in its place where no entry is urgent, and costs nothing.
struct NoUrgentInbox {
  KAON_DEVICE NoUrgentInbox(const ResidentView&, std::uint32_t) {}
  KAON_DEVICE bool find() const { return false; }
  KAON_DEVICE void take(Command&) {}
};

template <class Entries, class Words>
using UrgentInboxOf = std::conditional_t<Entries::kHaveUrgent, UrgentInbox<Words>, NoUrgentInbox>;

}  // namespace kaon::gpu
