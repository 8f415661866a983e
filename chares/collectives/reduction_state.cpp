// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/reduction_state.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

void throw_different_contributions() {
  throw UsageError(
      "elements of one array contribute to the same reduction with different types or operations: every "
      "element must call contribute() the same way, in the same order");
}

}  // namespace kaon::chares
