// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/resident_view.hpp"

namespace kaon::gpu {

/// The ring of urgent tasks of one worker, as its first warp looks at it, all of whose threads call each function.
template <class Words>
class UrgentInbox {
 public:
  using Found = typename Words::Line;
  KAON_DEVICE UrgentInbox(const ResidentView& view, std::uint32_t worker)
      : view_(view), worker_(worker), taken_(view.workers[worker].urgent_head) {}
  /// Whether there is one. Changes nothing.
  KAON_DEVICE bool find(Found& found) const {
    view_.urgent(worker_).template look_at<Words>(taken_, found);
    return found.is_of(epoch_at(taken_));
  }
  /// Copies it to memory that the block shares.
  KAON_DEVICE void take(const Found& found, Command& command) {
    const CommandRing ring = view_.urgent(worker_);
    ring.template take<Words>(found, command);
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
  struct Found {};
  KAON_DEVICE NoUrgentInbox(const ResidentView&, std::uint32_t) {}
  KAON_DEVICE bool find(Found&) const { return false; }
  KAON_DEVICE void take(const Found&, Command&) {}
};

template <class Entries, class Words>
using UrgentInboxOf = std::conditional_t<Entries::kHaveUrgent, UrgentInbox<Words>, NoUrgentInbox>;

}  // namespace kaon::gpu
