// SPDX-License-Identifier: Apache-2.0
// Programs of one group of MPI's functions each, run by ampirun on 1 to 64 ranks and 1 to 4 processes.
#include <string>
#include <vector>

#include "tests/ampi_shim/programs/ampirun_command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing {
namespace {

void check_on_all_shapes(const std::vector<std::string>& names) {
  const Shape shape =
      GENERATE(Shape{1, 1, 1}, Shape{2, 2, 1}, Shape{5, 1, 2}, Shape{7, 3, 1}, Shape{16, 4, 1}, Shape{64, 2, 2});
  const std::string name = GENERATE_REF(from_range(names));
  CAPTURE(name, shape.ranks, shape.processes, shape.pes);
  std::vector<std::string> command = ampirun_command(shape);
  command.push_back(test_program("ampi/" + name));
  const ProgramRun ended = run_program(command);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

}  // namespace

TEST_CASE("programs of derived datatypes and of packing find all well", "[ampi][programs]") {
  check_on_all_shapes({"type_messages", "type_queries", "packing"});
}

TEST_CASE("programs of large counts find all well", "[ampi][programs]") {
  check_on_all_shapes({"large_counts", "collective_large", "topology_lists"});
}

TEST_CASE("programs of C++ find their exceptions where they left them", "[ampi][programs]") {
  check_on_all_shapes({"exceptions"});
}

TEST_CASE("programs of statuses, handles, groups and operations find all well", "[ampi][programs]") {
  check_on_all_shapes({"statuses", "handles", "several_requests"});
}

TEST_CASE("programs of windows find all well", "[ampi][programs][windows]") {
  check_on_all_shapes({"window_fences", "window_locks", "window_groups", "window_objects", "window_errors"});
}

TEST_CASE("one-sided programs that seeds make up do as a serial model", "[ampi][programs][windows]") {
  check_on_all_shapes({"window_random"});
}

TEST_CASE("words that are no handles are told of in the place of handles of all kinds", "[ampi][programs]") {
  check_on_all_shapes({"garbage_handles"});
}

}  // namespace kaon::testing
