// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kaon::testing {

/// Runs a few threads of a model in every order of their atomic steps. The threads are fibres of this thread; a run
/// follows a list of choices, and the next run differs from it in the last choice that can still be made otherwise.
/// A thread's state is what it has seen, or says that it remembers; a state that was reached before is not followed
/// again.
///
/// Atomic steps happen one after another, but plain memory is seen only as their orders say: what a thread has
/// written() another may read when a release and an acquire of one atomic lie in between, or releases and
/// read-modify-writes that carry it on. Reading anything else is a fault.
///
/// Bodies must not own memory or throw: a run that leads nowhere new is left where it stands.
class Interleavings {
 public:
  /// One run's model: threads, and what must hold when all have ended. Made anew for each run, at the same address.
  struct Run {
    std::vector<std::function<void()>> threads;
    std::function<std::string()> fault;  // empty when all is well
  };

  /// The first fault found, or nothing. `make` builds the model.
  std::string explore(const std::function<Run()>& make);
  std::size_t states() const { return visited_.size(); }
  std::size_t runs() const { return runs_; }

  // --- for the threads of a model
  /// A step: everything in `action` happens at once. Returns its result, which is all that the thread may learn.
  static std::uintptr_t step(const std::function<std::uintptr_t()>& action);
  /// The thread goes on when `condition` holds.
  static void wait_until(std::function<bool()> condition);
  /// One of 0 ... count - 1; all of them are tried.
  static std::size_t pick(std::size_t count);
  /// Memory of the size of a pointer that belongs to the state of the model.
  static void watch(const void* word);
  /// All that the thread still knows of what it has seen so far: makes states equal that it cannot tell apart.
  static void summarize(std::uintptr_t knowledge);
  /// Forgets what was seen in the step before the last. Makes states equal like summarize().
  static void forget_but_last();

  /// Plain memory, by numbers below 64: each is written once.
  static void written(std::size_t number) { known() |= std::uintptr_t{1} << number; }
  static void read(std::size_t number);
  /// The writes that happened before where the running thread is, by bits.
  static std::uintptr_t& known() { return current_->fibres_[current_->running_].known; }

 private:
  struct Fibre {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    std::function<void()> body;
    std::function<bool()> is_ready;  // empty: it is
    std::vector<std::uintptr_t> seen;
    std::uintptr_t known = 0;
    bool has_ended = false;
  };
  struct Choice {
    std::size_t taken, count;
  };

  void start(Fibre& fibre);
  std::string run_once(const Run& run);
  bool is_known_state();
  std::vector<std::size_t> ready_fibres() const;
  std::size_t choose(std::size_t count);
  bool next_schedule();
  static void enter();

  static inline Interleavings* current_ = nullptr;
  ucontext_t scheduler_;
  std::vector<Fibre> fibres_;
  std::size_t running_ = 0;
  std::vector<Choice> choices_;
  std::size_t made_ = 0;  // choices of this run
  std::vector<const void*> watched_;
  std::set<std::vector<std::uintptr_t>> visited_;
  std::size_t runs_ = 0;
  std::string fault_;  // of this run
};

constexpr bool is_acquire(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
constexpr bool is_release(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

/// An atomic whose every operation is a step.
template <class T>
class ModelAtomic {
 public:
  ModelAtomic(T value) : bits_(as_bits(value)) {
    Interleavings::watch(&bits_);
    Interleavings::watch(&released_);
  }

  T load(std::memory_order order) const {
    return as_value(Interleavings::step([&] { return acquire(order), bits_; }));
  }
  void store(T value, std::memory_order order) {
    Interleavings::step([&] { return released_ = 0, release(order), bits_ = as_bits(value), 0; });
  }
  T exchange(T value, std::memory_order order) {
    return as_value(Interleavings::step([&] { return replace(value, order); }));
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order yes, std::memory_order no) {
    const std::uintptr_t wanted = as_bits(expected);
    const std::uintptr_t found =
        Interleavings::step([&] { return bits_ == wanted ? replace(value, yes) : (acquire(no), bits_); });
    expected = as_value(found);
    return found == wanted;
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order yes, std::memory_order no) {
    if (compare_exchange_strong(expected, value, yes, no)) return true;
    Interleavings::forget_but_last();  // a loop of these knows `expected` and not what it was before
    return false;
  }

 private:
  static std::uintptr_t as_bits(T value) { return (std::uintptr_t)value; }
  static T as_value(std::uintptr_t bits) { return (T)bits; }

  std::uintptr_t replace(T value, std::memory_order order) {
    acquire(order);
    release(order);
    return std::exchange(bits_, as_bits(value));
  }
  void acquire(std::memory_order order) const {
    if (is_acquire(order)) Interleavings::known() |= released_;
  }
  void release(std::memory_order order) {
    if (is_release(order)) released_ |= Interleavings::known();
  }

  std::uintptr_t bits_;
  std::uintptr_t released_ = 0;  // writes that who acquires this value may see
};

}  // namespace kaon::testing
