// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

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

  /// Calls `function(argument, i)` for each i below `count`. Throws what the first of them threw, when all have ended;
  /// throws GpuError when those that are left wait for each other for ever.
  void run(std::size_t count, void (*function)(void* argument, std::size_t i), void* argument);

  /// In such a call: lets others run until `is_true(condition)`.
  void wait_until(bool (*is_true)(void* condition), void* condition);
  /// In such a call: who calls acquire() sees what was done by those that called release() before.
  static void release(void* what);
  static void acquire(void* what);

 private:
  struct Fibre;
  void add_fibre();
  void call(Fibre& fibre, std::size_t number);
  std::size_t run_once(std::size_t count);
  void throw_fault(std::size_t count, bool is_stuck);

  std::vector<std::unique_ptr<Fibre>> fibres_;  // those of earlier runs are used again
  std::minstd_rand order_;
  std::size_t running_ = 0;  // the number of the one that runs
  void (*function_)(void*, std::size_t) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace kaon::gpu
