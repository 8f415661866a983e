// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/operation_order.hpp"

#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::ampi;

namespace {

/// Comes with this number of its origin; gives the numbers that are done now.
std::vector<std::uint32_t> come(OperationOrder& order, int origin, std::uint32_t sequence) {
  ArrivedOperation operation;
  operation.header.from = origin;
  operation.header.sequence = sequence;
  std::vector<std::uint32_t> done;
  if (!order.take_or_keep(operation)) return done;
  done.push_back(sequence);
  while (const auto next = order.take_next(origin)) done.push_back(next->header.sequence);
  return done;
}

using Done = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("accumulates are done in the order of their origin", "[ampi][windows]") {
  OperationOrder order;
  CHECK(come(order, 4, 0) == Done{0});
  CHECK(come(order, 4, 3).empty());
  CHECK(come(order, 4, 2).empty());
  CHECK(come(order, 4, 1) == Done{1, 2, 3});
  CHECK(come(order, 4, 4) == Done{4});
}

TEST_CASE("accumulates of one origin wait for none of another", "[ampi][windows]") {
  OperationOrder order;
  CHECK(come(order, 1, 1).empty());
  CHECK(come(order, 2, 0) == Done{0});
  CHECK(come(order, 2, 1) == Done{1});
  CHECK(come(order, 1, 0) == Done{0, 1});
}
