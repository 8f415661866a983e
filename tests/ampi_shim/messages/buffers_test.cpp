// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/buffers.hpp"

#include <array>
#include <span>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {

TEST_CASE("elements meet memory between their first byte and their last, in either direction", "[ampi][messages]") {
  alignas(int) std::array<std::byte, 64> memory{};
  const std::span<const std::byte> all(memory);
  const TypeDefinitionPtr& integer = Datatype::of(MPI_INT)->shared_definition();
  Datatype* const backwards = Datatype::make(resized(CountForm::kInt, integer, 0, -8));
  const auto meets = [&](std::size_t at, MPI_Count count, std::size_t first, std::size_t bytes) {
    const bool as_sent = Outgoing{&memory[at], count, backwards}.meets(all.subspan(first, bytes));
    const bool as_received = Incoming{&memory[at], count, backwards}.meets(all.subspan(first, bytes));
    return as_sent && as_received;
  };
  CHECK(meets(32, 1, 32, 4));
  CHECK(meets(32, 1, 35, 4));
  CHECK_FALSE(meets(32, 1, 36, 4));
  CHECK_FALSE(meets(32, 1, 28, 4));
  CHECK(meets(32, 3, 16, 4));
  CHECK(meets(32, 3, 13, 4));
  CHECK_FALSE(meets(32, 3, 12, 4));
  CHECK_FALSE(meets(32, 3, 36, 4));
  CHECK_FALSE(meets(32, 0, 32, 4));
  CHECK_FALSE(meets(32, 3, 32, 0));
  backwards->free_handle();
}

}  // namespace kaon::ampi
