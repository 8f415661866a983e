// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/reductions.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

Reductions::~Reductions() {
  states_.each([](std::uint64_t, ReductionState* state) { delete state; });
}

std::unique_ptr<ReductionState> Reductions::remove(std::uint32_t number) {
  std::unique_ptr<ReductionState> state(find(number));
  states_.erase(number);
  return state;
}

bool Reductions::has_queued() const {
  bool is_any = false;
  states_.each([&](std::uint64_t, const ReductionState* state) { is_any |= state->is_queued(); });
  return is_any;
}

void Reductions::fail(const std::exception_ptr& error) {
  states_.each([&](std::uint64_t, ReductionState* state) { state->fail(error); });
}

void throw_different_contributions() {
  throw UsageError(
      "elements of one array contribute to the same reduction with different types or operations: every "
      "element must call contribute() the same way, in the same order");
}

}  // namespace kaon::chares
