// SPDX-License-Identifier: Apache-2.0
#include "chares/reduction_state.hpp"

#include "runtime/error.hpp"

namespace kaon {

void throw_different_contributions() {
  throw UsageError(
      "elements of one array contribute to the same reduction with different types or operations: every "
      "element must call contribute() the same way, in the same order");
}

}  // namespace kaon
