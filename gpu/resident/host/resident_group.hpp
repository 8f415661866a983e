// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "kaon/gpu/resident/host/resident_options.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::gpu {

class ResidentScheduler;

/// The PEs of a process that share a resident scheduler: its owner, whose kernel it is, and its guests. What they know
/// of each other, beside the rings; each calls it by its number. None of them sleeps while another one waits for the
/// kernel, so that the owner starts it when it has parked, and each sees what it is told.
///
/// Orders. A member that gives a task: 1 the word `busy` and, when that is new, a push to the others; 2 `given`; 3 the
/// task in its ring. The owner that has seen the end of a launch looks at `busy` and `given` in each turn, and goes to
/// sleep only where `busy` says 0: by an inbound queue that the push of step 1 is in, or wakes. Whoever sees by the
/// device's report that as much is finished as was made and given knows that nothing of it is under way: what was
/// reported as finished is in `given`, by the order of 2 and 3, so that equal sums are of equal parts.
class ResidentGroup {
 public:
  ResidentGroup() = default;
  ResidentGroup(const ResidentGroup&) = delete;
  ResidentGroup& operator=(const ResidentGroup&) = delete;

  // --- how it comes to be; whoever calls these has the lock, once for each PE
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  std::shared_ptr<ResidentScheduler> find(const Scheduler& pe) const;
  bool is_empty() const { return members() == 0; }
  /// By its first member, which has made the kernel for so many guests.
  void found(const ResidentOptions& options, const ResidentView& view);
  const ResidentOptions& options() const { return options_; }
  const ResidentView& view() const { return view_; }
  /// The number of the next member. Throws UsageError when there are as many as were expected.
  std::uint32_t add(Scheduler& pe, const std::shared_ptr<ResidentScheduler>& scheduler);

  // --- what goes on
  /// Something of this member is under way from now on, or no longer.
  void begin_work(std::uint32_t number);
  void end_work() { busy_.fetch_sub(1, std::memory_order_release); }  // its notices were taken before
  bool is_working() const { return busy_.load(std::memory_order_acquire) != 0; }
  /// One more task, which the member is about to put into its ring.
  void count_given(std::uint32_t number) { members_[number].given.fetch_add(1, std::memory_order_release); }
  /// By all but this member.
  std::uint32_t given_by_others(std::uint32_t number) const;

  /// By the owner: how many launches there were, or that its memory is about to go.
  void note_launches(std::uint32_t count) { launches_.store(count, std::memory_order_release); }
  void note_gone() { is_gone_.store(true, std::memory_order_release); }
  bool is_gone() const { return is_gone_.load(std::memory_order_acquire); }
  bool is_running() const;

 private:
  /// Lets a sleeping PE look at its devices.
  struct Wake : Work {
    std::atomic<bool> is_queued{false};
  };
  struct alignas(64) Member {
    Scheduler* pe = nullptr;
    std::weak_ptr<ResidentScheduler> scheduler;
    Wake wake;
    alignas(64) std::atomic<std::uint32_t> given{0};
  };
  std::uint32_t members() const { return count_.load(std::memory_order_acquire); }
  static void run_wake(Work& self, Pe& pe);

  std::mutex mutex_;
  ResidentOptions options_;
  ResidentView view_{};
  std::unique_ptr<Member[]> members_;  // as many as there may be
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> busy_{0};  // members
  std::atomic<std::uint32_t> launches_{0};
  std::atomic<bool> is_gone_{false};
};

}  // namespace kaon::gpu
