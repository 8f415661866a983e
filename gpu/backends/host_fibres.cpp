// SPDX-License-Identifier: Apache-2.0
// ThreadSanitizer does not look at this file (CMake says so): its fibres share what is here without any order but that
// of the switches.
#include "kaon/gpu/backends/host_fibres.hpp"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <exception>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/host_order.hpp"
#include "kaon/gpu/backends/sanitized_stack.hpp"

#if KAON_SANITIZES_THREADS
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
}
#endif

namespace kaon::gpu {
namespace {

/// What a fibre waits for is looked at on another stack while the fibre does nothing: ThreadSanitizer, to which both
/// are threads, is not told of these reads.
class UnseenReads {
#if KAON_SANITIZES_THREADS
 public:
  UnseenReads() { AnnotateIgnoreReadsBegin(__FILE__, __LINE__); }
  ~UnseenReads() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__); }
  UnseenReads(const UnseenReads&) = delete;
  UnseenReads& operator=(const UnseenReads&) = delete;
#else
 public:
  UnseenReads() {}  // so that it is no unused variable
#endif
};

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
  bool is_outside = false;  // what makes it true
  bool has_work = false;
  bool is_stuck = false;
  bool is_closing = false;
  std::exception_ptr fault;

  bool can_go_on() const { return has_work && (is_true == nullptr || is_stuck || is_there()); }
  bool is_there() const {
    const UnseenReads unseen;
    return is_true(condition);
  }
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
  if (left_ > 0) end_the_stuck();
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
    HostOrder::enter_device();
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
    has_fault_ = true;
  }
  release(&argument_);
  fibre.has_work = false;
}

void HostFibres::run(std::size_t count, Function* function, void* argument) {
  begin(count, function, argument);
  while (step() != HostStep::ended) continue;
}

void HostFibres::begin(std::size_t count, Function* function, void* argument) {
  while (fibres_.size() < count) add_fibre();
  function_ = function;
  argument_ = argument;
  for (std::size_t i = 0; i < count; ++i) fibres_[i]->has_work = true;
  release(&function_);
  left_ = count_ = count;
}

HostStep HostFibres::step() {
  if (run_once()) {
    if (has_fault_) end_the_stuck();
    if (left_ > 0) return HostStep::advanced;
    finish(false);
    return HostStep::ended;
  }
  if (is_anybody_outside()) return HostStep::waits;
  end_the_stuck();
  finish(true);
  return HostStep::ended;
}

/// Lets each that can go on do so once. False: there was none.
bool HostFibres::run_once() {
  bool has_advanced = false;
  const std::size_t first = order_() % count_;
  const bool is_upward = order_() % 2 == 0;
  for (std::size_t step = 0; step < count_; ++step) {
    running_ = (is_upward ? first + step : first + count_ - step) % count_;
    Fibre& fibre = *fibres_[running_];
    if (!fibre.can_go_on()) continue;
    is_inside_ = true;
    fibre.enter();
    is_inside_ = false;
    has_advanced = true;
    left_ -= fibre.has_work ? 0 : 1;
  }
  return has_advanced;
}

bool HostFibres::is_anybody_outside() const {
  return std::any_of(fibres_.begin(), fibres_.begin() + static_cast<std::ptrdiff_t>(count_),
                     [](const auto& fibre) { return fibre->has_work && fibre->is_outside; });
}

void HostFibres::end_the_stuck() {
  for (std::size_t i = 0; i < count_; ++i) fibres_[i]->is_stuck = true;
  while (run_once()) continue;
  for (std::size_t i = 0; i < count_; ++i) fibres_[i]->is_stuck = false;
}

/// Throws what the first has thrown.
void HostFibres::finish(bool is_stuck) {
  acquire(&argument_);
  has_fault_ = false;
  std::exception_ptr first;
  for (std::size_t i = 0; i < count_; ++i)
    if (const std::exception_ptr fault = std::exchange(fibres_[i]->fault, nullptr); first == nullptr) first = fault;
  if (first != nullptr) std::rethrow_exception(first);
  if (is_stuck)
    throw GpuError(
        "threads of a block wait for others that do not come: all of them must come to each sync(), sum(), min(), "
        "max() and scan, and all of a grid to each sync_grid()");
}

void HostFibres::wait_until(bool (*is_true)(void*), void* condition) { wait(is_true, condition, false); }
void HostFibres::wait_outside_until(bool (*is_true)(void*), void* condition) { wait(is_true, condition, true); }

void HostFibres::let_others_go_on() {
  if (is_inside_) wait([](void*) { return true; }, nullptr, true);
}

void HostFibres::wait(bool (*is_true)(void*), void* condition, bool is_outside) {
  Fibre& self = *fibres_[running_];
  self.is_true = is_true;
  self.condition = condition;
  self.is_outside = is_outside;
  self.leave();
  self.is_outside = false;
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
