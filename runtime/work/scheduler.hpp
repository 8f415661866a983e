// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/base/ticks.hpp"
#include "kaon/runtime/memory/pool.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/inbound_queue.hpp"
#include "kaon/runtime/work/overload.hpp"
#include "kaon/runtime/work/run_queue.hpp"
#include "kaon/runtime/work/timers.hpp"
#include "kaon/runtime/work/waiter.hpp"
#include "kaon/runtime/work/waker.hpp"

namespace kaon::runtime {

/// What a PE has made and done: messages, and waits that will end by themselves.
struct WorkCounts {
  std::uint64_t made = 0, done = 0;
  friend bool operator==(const WorkCounts&, const WorkCounts&) = default;
  WorkCounts& operator+=(const WorkCounts& other) {
    made += other.made;
    done += other.done;
    return *this;
  }
};

/// What one thread runs and what waits on it: the half of a Pe that knows nothing of messages. Driven by its thread;
/// others may push() and nothing else.
class Scheduler {
 public:
  Scheduler(PeId id, std::uint16_t home, Pool* const* pools) : id_(id), pool_(home, id, pools) {}
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  PeId id() const { return id_; }
  Pool& pool() { return pool_; }

  /// To be run behind what is ready already.
  void enqueue(Work& work) { ready_.push(work); }
  /// As enqueue, from any thread.
  void push(Work& work) { push(work, work); }
  /// As push, of a list that leads from `newest` by `next` to `oldest`.
  void push(Work& newest, Work& oldest) {
    if (inbound_.push(newest, oldest)) waker_.wake();
  }

  /// What was made must be done, on this PE or another, before there is quiescence.
  void count_made() { ++counts_.made; }
  void count_done() { ++counts_.done; }
  const WorkCounts& counts() const { return counts_; }
  /// Something counted as made can end only when something else does, or (-1) need not wait for that any longer. See
  /// StallWatch.
  void count_dependent(std::int64_t more) { dependent_ += more; }

  Overload& overload() { return overload_; }
  /// Something is held that will be given when a timer says so, or (-1) no longer.
  void note_held(int more) { outside_waits_ += static_cast<std::uint64_t>(more); }

  Timers& timers() { return timers_; }
  Activity::List& activities() { return activities_; }
  Waker& waker() { return waker_; }

  /// Ends the run soon, with the first error that was given; for faults found where nothing can be thrown. `place` says
  /// where it was, if that is not what runs now.
  void fail(std::exception_ptr error, std::string place = {}) noexcept;
  void throw_failure() {
    if (failure_ != nullptr) [[unlikely]]
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  const std::string& failure_place() const { return failure_place_; }
  /// Where an exception comes from that now goes to who awaits it, for the case that it ends the run there.
  void note_origin(const std::exception_ptr& error, std::string place);
  /// Empty when nothing was noted of it.
  std::string origin_of(const std::exception_ptr& error) const;

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
  std::uint32_t kind() const { return kind_; }

  /// Is told how long a turn of a chare's entry took, and of which (Root::element()). nullptr, as ever when nobody
  /// measures: it is not asked. The element of the turn that is measured now; nullptr: none is.
  using TurnMeter = void (*)(const void* element, std::uint64_t ticks);
  TurnMeter turn_meter() const { return turn_meter_; }
  void set_turn_meter(TurnMeter meter) { turn_meter_ = meter; }
  const void* turn_element() const { return turn_element_; }
  void set_turn_element(const void* element) { turn_element_ = element; }

  /// Those who wait here, and those of them who are about to be resumed.
  const WaitList& waits() const { return waits_; }
  const WaitList& due() const { return due_; }
  std::size_t ready_count() const { return ready_.size(); }
  std::int64_t dependent() const { return dependent_; }
  /// Waits that may end without any message, and roots that wait for something of the program's own.
  std::uint64_t outside_waits() const { return outside_waits_ + (roots_ - waiting_roots_); }

 protected:
  ~Scheduler() = default;

  /// Nothing more is to be run before the run's end or failure is seen to.
  bool must_return() const { return state_ != State::running || failure_ != nullptr; }
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
  friend class Root;
  void note_wait(const WaitKind& kind, int more) {
    if (kind.is_from_outside)
      outside_waits_ += static_cast<std::uint64_t>(more);
    else if (kind.is_counted)
      dependent_ += more;
  }

  Overload overload_{timers_};
  WaitList waits_;
  WaitList due_;
  Root* root_ = nullptr;
  std::uint64_t roots_ = 0;
  std::uint64_t waiting_roots_ = 0;
  std::uint64_t outside_waits_ = 0;
  std::int64_t dependent_ = 0;
  std::exception_ptr failure_;
  std::string failure_place_;
  struct Origin {
    std::exception_ptr error;
    std::string place;
  };
  std::array<Origin, 4> origins_;  // of the latest
  std::size_t next_origin_ = 0;
  std::uint32_t kind_ = ~0u;
  TurnMeter turn_meter_ = nullptr;
  const void* turn_element_ = nullptr;
};

/// Measures a turn of an entry when somebody wants to know, from the ticks that begin_turn() gives. What an exception
/// ends is not counted, and of turns one in the other, as when an inbox resumes a task, the outer one alone.
inline std::uint64_t begin_turn(Scheduler& scheduler, const void* element) {
  if (scheduler.turn_meter() == nullptr || scheduler.turn_element() != nullptr) [[likely]]
    return 0;
  scheduler.set_turn_element(element);
  return ticks();
}
inline void end_turn(Scheduler& scheduler, std::uint64_t begin, const void* element) {
  if (begin == 0) [[likely]]
    return;
  if (const Scheduler::TurnMeter meter = scheduler.turn_meter()) meter(element, ticks() - begin);
  scheduler.set_turn_element(nullptr);
}

/// The scheduler whose thread this is. Not inlined: a stack may continue on another thread, and then an address that
/// the compiler had kept of the thread's storage would be the old one's.
Scheduler& this_scheduler() noexcept;
Scheduler* this_scheduler_or_null() noexcept;
/// As this_scheduler(); on a thread that is no PE it throws UsageError, which says that `what` belongs on one.
Scheduler& calling_scheduler(const char* what);
/// Makes it the current one of this thread; returns the one before.
Scheduler* switch_scheduler(Scheduler* scheduler) noexcept;
/// Says that an object such as a static one was destroyed when no PE was there to take its memory back.
void warn_outlived(const char* what) noexcept;

}  // namespace kaon::runtime
