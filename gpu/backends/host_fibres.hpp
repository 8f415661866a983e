// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "kaon/gpu/backends/host_queue.hpp"

namespace kaon::gpu {

/// Runs a function many times "at once" on one thread of the operating system: each call has a stack of its own and
/// goes on until it ends or lets the others run. These are the threads of a block in the emulation, and of all blocks
/// where a kernel needs them together.
///
/// Who goes on next is left to chance, so that a kernel that forgets a barrier shows. ThreadSanitizer takes each call
/// for a thread of its own that shares nothing with the others, so that it finds what a barrier is missing for.
class HostFibres {
 public:
  /// More than that in one run() are refused: each has a stack.
  static constexpr std::size_t kMost = 8192;

  explicit HostFibres(unsigned seed);
  ~HostFibres();
  HostFibres(const HostFibres&) = delete;
  HostFibres& operator=(const HostFibres&) = delete;

  using Function = void(void* argument, std::size_t i);

  /// Calls `function(argument, i)` for each i below `count`. Throws what the first of them threw: the others end where
  /// they wait next, as a device ends a kernel of which one thread has failed. Throws GpuError when those that are left
  /// wait for each other for ever.
  void run(std::size_t count, Function* function, void* argument);

  /// The same in steps, for functions that wait for what is done outside of them.
  void begin(std::size_t count, Function* function, void* argument);
  /// Lets each that can go on do so until it waits. `ended`: all of them have. `waits`: none could.
  HostStep step();

  /// In such a call: lets others run until `is_true(condition)`.
  void wait_until(bool (*is_true)(void* condition), void* condition);
  /// The same of what others than these functions make true.
  void wait_outside_until(bool (*is_true)(void* condition), void* condition);
  /// In such a call: lets each of the others go on once. In a condition, which somebody else looks at, nothing happens.
  void let_others_go_on();
  /// In such a call: who calls acquire() sees what was done by those that called release() before.
  static void release(void* what);
  static void acquire(void* what);

 private:
  struct Fibre;
  void add_fibre();
  void call(Fibre& fibre, std::size_t number);
  void wait(bool (*is_true)(void*), void* condition, bool is_outside);
  bool run_once();
  bool is_anybody_outside() const;
  void end_the_stuck();
  void finish(bool is_stuck);

  std::vector<std::unique_ptr<Fibre>> fibres_;  // those of earlier runs are used again
  std::minstd_rand order_;
  std::size_t count_ = 0;    // that were called
  std::size_t left_ = 0;     // of them, that have not ended
  std::size_t running_ = 0;  // the number of the one that runs
  bool is_inside_ = false;   // on its stack
  bool has_fault_ = false;   // one of them has thrown
  Function* function_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace kaon::gpu
