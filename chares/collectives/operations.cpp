// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/operations.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares::operations {

void throw_different_lengths(std::size_t one, std::size_t other) {
  throw UsageError("vectors of " + std::to_string(one) + " and of " + std::to_string(other) +
                   " elements were to be combined element by element: all elements of an array must give vectors of "
                   "one length");
}

}  // namespace kaon::chares::operations
