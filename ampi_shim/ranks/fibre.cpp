// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/fibre.hpp"

#include <new>

#include "kaon/gpu/backends/sanitized_stack.hpp"

namespace kaon::ampi {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

/// Where a fibre begins.
struct Fibre::Entry {
  static void run(transfer_t user) {
    auto& fibre = *static_cast<Fibre*>(user.data);
    keep(user);
    fibre.sanitized().entered();
    fibre.function_(fibre.argument_);
    fibre.has_ended_ = true;
    fibre.swap_exceptions();
    fibre.sanitized().leave_for_good();
    jump_fcontext(fibre.other_, &fibre);
  }
};

const bool Fibre::kGoesOver = !KAON_SANITIZES_ADDRESSES && !KAON_SANITIZES_THREADS;

gpu::SanitizedStack& Fibre::sanitized() noexcept {
  return *std::launder(reinterpret_cast<gpu::SanitizedStack*>(sanitized_memory_));
}

Fibre::Fibre(StackPool& stacks, Function* function, void* argument)
    : stacks_(stacks),
      stack_(stacks.take()),
      function_(function),
      argument_(argument),
      other_(make_fcontext(stack_.highest(), stack_.bytes, &Entry::run)) {
  static_assert(sizeof(gpu::SanitizedStack) <= sizeof sanitized_memory_);
  using gpu::SanitizedStack;
  auto* const sanitized =
      new (static_cast<void*>(sanitized_memory_)) SanitizedStack(SanitizedStack::Order::of_one_thread);
  sanitized->use(stack_.lowest, stack_.bytes);
}

Fibre::~Fibre() {
  using gpu::SanitizedStack;
  sanitized().~SanitizedStack();
  stacks_.give_back(stack_);
}

void Fibre::enter() {
  swap_exceptions();
  sanitized().enter();
  keep(jump_fcontext(other_, this));
  sanitized().left();
}

void Fibre::leave() {
  swap_exceptions();
  sanitized().leave();
  keep(jump_fcontext(other_, this));
  sanitized().entered();
}

}  // namespace kaon::ampi
