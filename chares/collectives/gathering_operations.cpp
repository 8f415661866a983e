// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/gathering_operations.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares::operations {

void throw_two_values() {
  throw UsageError(
      "maps that have different values of one key were to be united: unite_by(op) says how to combine these");
}

}  // namespace kaon::chares::operations
