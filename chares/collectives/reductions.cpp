// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/reductions.hpp"

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

void throw_different_contributions() {
  throw UsageError(
      "elements of one array contribute to the same reduction with different types or operations: every "
      "element must call contribute() the same way, in the same order");
}

}  // namespace kaon::chares
