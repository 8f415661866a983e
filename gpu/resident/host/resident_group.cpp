// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_group.hpp"

#include <fmt/format.h>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

std::shared_ptr<ResidentScheduler> ResidentGroup::find(const Scheduler& pe) const {
  for (std::uint32_t i = 0; i < members(); ++i)
    if (members_[i].pe == &pe) return members_[i].scheduler.lock();
  return nullptr;
}

void ResidentGroup::found(const ResidentOptions& options, const ResidentView& view) {
  options_ = options;
  view_ = view;
  members_ = std::make_unique<Member[]>(view.guest_count + 1);
}

std::uint32_t ResidentGroup::add(Scheduler& pe, const std::shared_ptr<ResidentScheduler>& scheduler) {
  const std::uint32_t number = members();
  if (number > view_.guest_count)
    throw UsageError(fmt::format("a resident scheduler is shared by at most {} PEs of its device", number));
  Member& member = members_[number];
  member.pe = &pe;
  member.scheduler = scheduler;
  member.wake.run = &run_wake;
  member.wake.flags |= kOwnsItself;                     // run also when it is dropped, so that it is in no queue then
  count_.store(number + 1, std::memory_order_release);  // others see the member whole
  return number;
}

void ResidentGroup::run_wake(Work& self, Pe&) {
  // acquire: who found it queued has counted as busy before, which the look that follows is to see
  static_cast<Wake&>(self).is_queued.exchange(false, std::memory_order_acq_rel);
}

void ResidentGroup::begin_work(std::uint32_t number) {
  busy_.fetch_add(1, std::memory_order_acq_rel);
  for (std::uint32_t i = 0; i < members(); ++i)
    if (i != number && !members_[i].wake.is_queued.exchange(true, std::memory_order_acq_rel))
      members_[i].pe->push(members_[i].wake);
}

std::uint32_t ResidentGroup::given_by_others(std::uint32_t number) const {
  std::uint32_t given = 0;
  for (std::uint32_t i = 0; i < members(); ++i)
    if (i != number) given += members_[i].given.load(std::memory_order_acquire);
  return given;
}

bool ResidentGroup::is_running() const {
  return !is_gone() && HostWords::peek(&view_.host->ended) != launches_.load(std::memory_order_acquire);
}

}  // namespace kaon::gpu
