// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/memory/pool.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/failures.hpp"
#include "kaon/runtime/work/inbound_queue.hpp"
#include "kaon/runtime/work/overload.hpp"
#include "kaon/runtime/work/run_queue.hpp"
#include "kaon/runtime/work/timers.hpp"
#include "kaon/runtime/work/turn_meter.hpp"
#include "kaon/runtime/work/waits.hpp"
#include "kaon/runtime/work/waker.hpp"

namespace kaon::runtime {

/// Counts of what a PE has made and done: messages, and waits that will end by themselves.
struct WorkCounts {
  std::uint64_t made = 0, done = 0;
  friend bool operator==(const WorkCounts&, const WorkCounts&) = default;
  WorkCounts& operator+=(const WorkCounts& other) {
    made += other.made;
    done += other.done;
    return *this;
  }
};

/// The work of one thread and the waits on it: the half of a Pe that knows nothing of messages. Driven by its thread;
/// other threads may push() and nothing else.
class Scheduler {
 public:
  Scheduler(PeId id, std::uint16_t home, Pool* const* pools) : id_(id), pool_(home, id, pools) {}
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  PeId id() const { return id_; }
  Pool& pool() { return pool_; }

  /// To be run behind what is ready already.
  void enqueue(Work& work) { ready_.push(work); }
  /// Same as enqueue(), from any thread.
  void push(Work& work) { push(work, work); }
  /// Same as push(), for a list that leads from `newest` by `next` to `oldest`.
  void push(Work& newest, Work& oldest) {
    if (inbound_.push(newest, oldest)) waker_.wake();
  }

  /// Counts something as made. It must be done, on this PE or another, before there is quiescence.
  void count_made() { ++counts_.made; }
  void count_done() { ++counts_.done; }
  const WorkCounts& counts() const { return counts_; }
  std::size_t ready_count() const { return ready_.size(); }

  // --- parts
  Waits& waits() { return waits_; }
  const Waits& waits() const { return waits_; }
  Failures& failures() { return failures_; }
  const Failures& failures() const { return failures_; }
  TurnMeter& turn_meter() { return turn_meter_; }
  const TurnMeter& turn_meter() const { return turn_meter_; }
  Overload& overload() { return overload_; }
  Timers& timers() { return timers_; }
  Activity::List& activities() { return activities_; }
  Waker& waker() { return waker_; }

  /// Ends the run soon, with the first error that was given; for faults found where nothing can be thrown. `place` says
  /// where it was, if that is not what runs now.
  void fail(std::exception_ptr error, std::string place = {}) noexcept;

  /// Nothing is run here from now on: until resume(), or (stop) because the run has ended.
  void pause() { state_ = State::paused; }
  void resume() { state_ = State::running; }
  void stop() { state_ = State::stopped; }
  bool is_running() const { return state_ == State::running; }
  bool is_stopped() const { return state_ == State::stopped; }

  /// Whose task runs now, to name it in errors and crashes; nullptr: none does. Returns the one before. A task that
  /// another has resumed by means of its own runs under the other's name.
  Root* switch_root(Root* root) {
    Root* before = root_;
    root_ = root;
    return before;
  }
  Root* root() const { return root_; }
  /// The kind of what runs now.
  void note_kind(std::uint32_t kind) { kind_ = kind; }

 protected:
  ~Scheduler() = default;

  std::uint32_t kind() const { return kind_; }
  /// Nothing more is to be run before the run's end or failure is seen to.
  bool must_return() const { return state_ != State::running || failures_.any(); }
  void take_inbound(Pe& pe);
  /// Resumes those who are due. False: nobody was.
  bool resume_due(Pe& pe);
  bool run_timers(Pe& pe, Timers::Time now);

  const PeId id_;
  WorkCounts counts_;
  Pool pool_;
  RunQueue ready_;
  InboundQueue inbound_;
  Waker waker_;
  Timers timers_;
  Activity::List activities_;
  enum class State : std::uint8_t { running, paused, stopped };
  State state_ = State::running;
  std::uint64_t last_ticks_ = 0;  // when the last piece of work ended, roughly

 private:
  friend class Waiter;

  Overload overload_{timers_};
  Waits waits_;
  Root* root_ = nullptr;
  Failures failures_;
  std::uint32_t kind_ = ~0u;
  TurnMeter turn_meter_;
};

/// The scheduler whose thread this is. Not inlined: a stack may continue on another thread, and then an address that
/// the compiler had kept of the thread's storage would be the old one's.
Scheduler& this_scheduler() noexcept;
Scheduler* this_scheduler_or_null() noexcept;
/// Same as this_scheduler(), but on a thread that is no PE it throws UsageError, which says that `what` belongs on one.
Scheduler& calling_scheduler(const char* what);
/// Makes it the current one of this thread; returns the one before.
Scheduler* switch_scheduler(Scheduler* scheduler) noexcept;
/// Says that an object such as a static one was destroyed when no PE was there to take its memory back.
void warn_outlived(const char* what) noexcept;

}  // namespace kaon::runtime
