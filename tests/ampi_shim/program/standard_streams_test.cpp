// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/standard_streams.hpp"

#include <cstdio>

#include "tests/ampi_shim/program/ranks_of_thread.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {

TEST_CASE("what is written to a stream whose rank has gone fails", "[ampi][program]") {
  TestRank rank;
  const auto program = Program::open({.path = loaded_program("output"), .hooks = RanksOfThread::hooks()});
  auto image = program->load(&rank);
  FILE* const output = image->streams().output();
  FILE* const error = image->streams().error();
  CHECK(std::fputs("held by the stream", output) >= 0);
  CHECK(std::fputs("seen", error) >= 0);
  image.reset();
  CHECK(std::fputs("late", output) == EOF);
  CHECK(std::fputs("late", error) == EOF);
  CHECK(rank.output.empty());
  CHECK(rank.errors == "seen");
}

}  // namespace kaon::ampi
