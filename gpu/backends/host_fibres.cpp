// SPDX-License-Identifier: Apache-2.0
// ThreadSanitizer does not look at this file (CMake says so): its fibres share what is here without any order but that
// of the switches.
#include "kaon/gpu/backends/host_fibres.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <exception>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/sanitized_stack.hpp"

namespace kaon::gpu {
namespace {

using Stack = boost::context::fiber;
constexpr std::size_t kStackBytes = std::size_t{256} << 10;  // taken as it is touched

/// Thrown in those that wait for what cannot happen any more, so that their stacks are free again.
struct Stuck {};

}  // namespace

struct HostFibres::Fibre {
  Stack resumed;  // this one while it does not run, else whoever let it run
  SanitizedStack sanitized;
  bool (*is_true)(void*) = nullptr;  // what it waits for; nullptr: nothing
  void* condition = nullptr;
  bool has_work = false;
  bool is_stuck = false;
  bool is_closing = false;
  std::exception_ptr fault;

  bool can_go_on() const { return has_work && (is_true == nullptr || is_stuck || is_true(condition)); }
  /// Called by whoever lets it run, returns when it waits or has ended.
  void enter() {
    is_true = nullptr;
    sanitized.enter();
    resumed = std::move(resumed).resume();
    sanitized.left();
  }
  /// Called on its own stack, returns when it is let run again.
  void leave() {
    sanitized.leave();
    resumed = std::move(resumed).resume();
    sanitized.entered();
  }
};

HostFibres::HostFibres(unsigned seed) : order_(seed + 1) {}

HostFibres::~HostFibres() {
  for (auto& fibre : fibres_) {
    fibre->is_closing = true;
    fibre->enter();
  }
}

void HostFibres::add_fibre() {
  auto& fibre = *fibres_.emplace_back(std::make_unique<Fibre>());
  const auto serve = [this, &fibre, number = fibres_.size() - 1](Stack&& user) {
    fibre.resumed = std::move(user);
    fibre.sanitized.entered();
    while (!fibre.is_closing) {
      call(fibre, number);
      fibre.leave();
    }
    fibre.sanitized.leave_for_good();
    return std::move(fibre.resumed);
  };
  boost::context::protected_fixedsize_stack stacks(kStackBytes);
  const boost::context::stack_context stack = stacks.allocate();
  fibre.sanitized.use(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
  fibre.resumed = Stack(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), stacks, serve);
}

/// One call of the function, on the fibre's stack.
void HostFibres::call(Fibre& fibre, std::size_t number) {
  acquire(&function_);
  try {
    function_(argument_, number);
  } catch (const Stuck&) {
  } catch (...) {
    fibre.fault = std::current_exception();
  }
  release(&argument_);
  fibre.has_work = false;
}

void HostFibres::run(std::size_t count, void (*function)(void*, std::size_t), void* argument) {
  while (fibres_.size() < count) add_fibre();
  function_ = function;
  argument_ = argument;
  for (std::size_t i = 0; i < count; ++i) fibres_[i]->has_work = true;
  release(&function_);
  std::size_t left = count;
  while (const std::size_t ended = run_once(count)) left -= ended - 1;
  const bool is_stuck = left > 0;
  for (std::size_t i = 0; i < count && is_stuck; ++i) fibres_[i]->is_stuck = true;
  while (is_stuck && run_once(count) > 0) continue;
  acquire(&argument_);
  for (std::size_t i = 0; i < count; ++i) fibres_[i]->is_stuck = false;
  throw_fault(count, is_stuck);
}

/// Lets each that can go on do so once. Returns 0 when there was none, else 1 more than have ended.
std::size_t HostFibres::run_once(std::size_t count) {
  std::size_t ended = 0;
  bool has_advanced = false;
  const std::size_t first = order_() % count;
  const bool is_upward = order_() % 2 == 0;
  for (std::size_t step = 0; step < count; ++step) {
    running_ = (is_upward ? first + step : first + count - step) % count;
    Fibre& fibre = *fibres_[running_];
    if (!fibre.can_go_on()) continue;
    fibre.enter();
    has_advanced = true;
    ended += fibre.has_work ? 0 : 1;
  }
  return has_advanced ? ended + 1 : 0;
}

void HostFibres::throw_fault(std::size_t count, bool is_stuck) {
  std::exception_ptr first;
  for (std::size_t i = 0; i < count; ++i)
    if (const std::exception_ptr fault = std::exchange(fibres_[i]->fault, nullptr); first == nullptr) first = fault;
  if (first != nullptr) std::rethrow_exception(first);
  if (is_stuck)
    throw GpuError(
        "threads of a block wait for others that do not come: all of them must come to each sync(), sum(), min(), "
        "max() and scan, and all of a grid to each sync_grid()");
}

void HostFibres::wait_until(bool (*is_true)(void*), void* condition) {
  Fibre& self = *fibres_[running_];
  self.is_true = is_true;
  self.condition = condition;
  self.leave();
  if (self.is_stuck) throw Stuck{};
}

#if KAON_SANITIZES_THREADS
void HostFibres::release(void* what) { __tsan_release(what); }
void HostFibres::acquire(void* what) { __tsan_acquire(what); }
#else
void HostFibres::release(void*) {}
void HostFibres::acquire(void*) {}
#endif

}  // namespace kaon::gpu
