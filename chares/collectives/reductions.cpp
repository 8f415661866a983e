// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/reductions.hpp"

#include <algorithm>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

std::unique_ptr<ReductionState> Reductions::remove(std::uint32_t number) {
  const auto found = states_.find(number);
  if (found == states_.end()) return nullptr;
  std::unique_ptr<ReductionState> state = std::move(found->second);
  states_.erase(found);
  return state;
}

bool Reductions::has_queued() const {
  return std::any_of(states_.begin(), states_.end(), [](const auto& each) { return each.second->is_queued(); });
}

void Reductions::fail(const std::exception_ptr& error) {
  for (auto& [number, state] : states_) state->fail(error);
}

void throw_different_contributions() {
  throw UsageError(
      "elements of one array contribute to the same reduction with different types or operations: every "
      "element must call contribute() the same way, in the same order");
}

}  // namespace kaon::chares
