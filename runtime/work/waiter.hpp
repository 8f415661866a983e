// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <cstdint>
#include <string>

#include "kaon/runtime/base/short_text.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Scheduler;
class Waiter;
class Waits;

/// The execution that a message or main has started. Errors and reports name it. It outlives its waits.
class Root {
 public:
  explicit Root(Scheduler& scheduler) noexcept;
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  /// Takes no memory: it is also said of a crash.
  virtual void say_name(ShortText& text) const = 0;
  std::string name() const {
    ShortText text;
    say_name(text);
    return text.str();
  }
  /// The chare that it is an entry of, for the names of its members; nullptr: none.
  virtual const void* element() const { return nullptr; }
  /// The kind of the work, equal for all runs of one entry. See Promptness.
  std::uint32_t kind = ~0u;

  /// One more, or one less, of what goes on side by side in it: one at first. Each of these waits by one Waiter, or
  /// runs, or is suspended by something of the program's own.
  void begin_strand() { ++strands_; }
  void end_strand() noexcept;
  std::uint32_t strands() const { return strands_; }

 protected:
  ~Root();

 private:
  friend class Waiter;
  void note_wait() noexcept;
  void note_end_of_wait() noexcept;

  Waits& waits_of_pe_;
  std::uint32_t strands_ = 1;
  std::uint32_t waits_ = 0;  // of these, by Waiters
};

/// One way of waiting, for all who wait so.
struct WaitKind {
  std::string (*describe)(const Waiter& waiter);  // "for a message with key 7 in the inbox halos"
  bool is_counted;                                // holds off quiescence: what it waits for will come of itself
  bool is_from_outside;                           // it may end without any message: a timer, a device, another thread
};

/// Somebody who waits and is resumed once: a task. `run` resumes it, from the scheduler's loop and never inside another
/// task. Awaitable embeds it in the frame of the task; destroying that while it waits is giving up.
class Waiter : public Work {
 public:
  explicit Waiter(const WaitKind& kind) : kind_(kind) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// The task, of this root, is suspended here, on this thread's PE, from now on.
  void hold(std::coroutine_handle<> task, Root* root);
  /// The same for those who know the PE.
  void hold(Scheduler& scheduler, std::coroutine_handle<> task, Root* root);
  /// It waits no longer, and is not resumed.
  void let_go() noexcept;
  bool is_waiting() const { return scheduler_ != nullptr; }
  /// Resumes it at the scheduler's next turn; for those who learn of the end where no task may run.
  void resume_soon();

  const WaitKind& kind() const { return kind_; }
  const Root* root() const { return root_; }
  Scheduler& scheduler() const { return *scheduler_; }
  std::uint64_t since_ticks() const { return since_ticks_; }

 protected:
  ~Waiter() = default;

  /// Starts an Operation (see Awaitable) for this, which is held. False: it has ended already, and this waits no
  /// longer.
  template <class Operation>
  bool start(Operation& operation) {
    bool has_ended = true;
    try {
      has_ended = operation.start(*this);
    } catch (...) {
      let_go();
      throw;
    }
    if (has_ended) let_go();
    return !has_ended;
  }

 private:
  friend class WaitList;
  static void resume(Work& self, Pe& pe);

  const WaitKind& kind_;
  std::coroutine_handle<> task_;
  Scheduler* scheduler_ = nullptr;  // whose list it is in; nullptr: it does not wait
  Root* root_ = nullptr;
  Waiter* older_ = nullptr;
  Waiter* newer_ = nullptr;
  std::uint64_t since_ticks_ = 0;
  bool is_due_ = false;  // in the list of those to be resumed
};

/// Waiters, the one that has waited longest first.
class WaitList {
 public:
  bool empty() const { return oldest_ == nullptr; }
  Waiter* oldest() const { return oldest_; }
  void add(Waiter& waiter) {
    waiter.older_ = newest_;
    waiter.newer_ = nullptr;
    (newest_ != nullptr ? newest_->newer_ : oldest_) = &waiter;
    newest_ = &waiter;
  }
  void remove(Waiter& waiter) {
    (waiter.older_ != nullptr ? waiter.older_->newer_ : oldest_) = waiter.newer_;
    (waiter.newer_ != nullptr ? waiter.newer_->older_ : newest_) = waiter.older_;
  }
  template <class Visit>
  void each(Visit visit) const {
    for (const Waiter* at = oldest_; at != nullptr; at = at->newer_) visit(*at);
  }

 private:
  Waiter* oldest_ = nullptr;
  Waiter* newest_ = nullptr;
};

}  // namespace kaon::runtime
