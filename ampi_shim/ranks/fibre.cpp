// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/fibre.hpp"

#include <cxxabi.h>

#include <boost/context/fiber.hpp>
#include <utility>

#include "kaon/gpu/backends/sanitized_stack.hpp"

namespace kaon::ampi {
namespace {

/// The stack is the pool's.
struct KeepStack {
  void deallocate(boost::context::stack_context&) noexcept {}
};

/// What the library of C++ keeps of a thread's exceptions: which are caught now, and how many are on their way. Each
/// fibre has its own, as it may wait inside a handler.
struct ExceptionState {
  void* caught = nullptr;
  unsigned on_their_way = 0;

  void swap_with_thread() noexcept {
    auto& current = *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
    std::swap(current, *this);
  }
};

}  // namespace

struct Fibre::Switch {
  boost::context::fiber other;  // the fibre while it does not run, else whoever let it run
  ExceptionState exceptions;
  gpu::SanitizedStack sanitized;
};

Fibre::Fibre(StackPool& stacks, Function* function, void* argument)
    : stacks_(stacks),
      stack_(stacks.take()),
      function_(function),
      argument_(argument),
      switch_(*new(static_cast<void*>(switch_memory_)) Switch) {
  static_assert(sizeof(Switch) <= sizeof switch_memory_);
  boost::context::stack_context context;
  context.sp = stack_.highest();
  context.size = stack_.bytes;
  switch_.sanitized.use(stack_.lowest, stack_.bytes);
  switch_.other =
      boost::context::fiber(std::allocator_arg, boost::context::preallocated(context.sp, context.size, context),
                            KeepStack{}, [this](boost::context::fiber&& user) {
                              switch_.other = std::move(user);
                              switch_.sanitized.entered();
                              function_(argument_);
                              has_ended_ = true;
                              switch_.sanitized.leave_for_good();
                              return std::move(switch_.other);
                            });
}

Fibre::~Fibre() {
  using gpu::SanitizedStack;
  switch_.sanitized.~SanitizedStack();
  stacks_.give_back(stack_);
}

void Fibre::enter() {
  switch_.exceptions.swap_with_thread();
  switch_.sanitized.enter();
  switch_.other = std::move(switch_.other).resume();
  switch_.sanitized.left();
  switch_.exceptions.swap_with_thread();
}

void Fibre::leave() {
  switch_.sanitized.leave();
  switch_.other = std::move(switch_.other).resume();
  switch_.sanitized.entered();
}

}  // namespace kaon::ampi
