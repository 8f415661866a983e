// SPDX-License-Identifier: Apache-2.0
// Programs of collectives, communicators and topologies, run by ampirun in several shapes.
#include <string>
#include <vector>

#include "tests/ampi_shim/programs/ampirun_command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing {
namespace {

const std::vector<Shape> kShapes{{1, 1, 1},  {2, 1, 1},  {3, 1, 2},  {5, 2, 1}, {8, 2, 2},
                                 {16, 1, 1}, {12, 3, 1}, {16, 4, 1}, {64, 2, 1}};

ProgramRun run(const Shape& shape, const std::string& name, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> words = ampirun_command(shape);
  words.push_back(test_program("ampi/" + name));
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words);
}

void check_all(const std::vector<std::string>& names) {
  const Shape shape = GENERATE_REF(from_range(kShapes));
  const std::string name = GENERATE_REF(from_range(names));
  CAPTURE(name, shape.ranks, shape.processes, shape.pes);
  check_end(run(shape, name), 0, {"all is well\n"});
}

}  // namespace

TEST_CASE("programs of collectives find all well", "[ampi][programs]") {
  check_all({"collective_values", "collective_blocks", "collective_reductions", "collective_overlap",
             "collective_meetings", "collective_shares", "collective_errors", "collective_arguments"});
}

TEST_CASE("ranks of one PE are told of counts that differ", "[ampi][programs]") {
  const int ranks = GENERATE(2, 5);
  check_end(run({ranks, 1, 1}, "collective_errors", {"one PE"}), 0, {"all is well\n"});
}

TEST_CASE("an allreduce without a schedule ends with the error of its first message", "[ampi][programs]") {
  check_end(run({4, 4, 1}, "collective_errors", {"four PEs"}), 0, {"all is well\n"});
}

TEST_CASE("messages that let rank after rank go on do not pile up on one's stack", "[ampi][programs]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // whose stacks and ranks take more memory
  const ProgramRun ended = run_program({program("ampirun"), "-n", "800", "--processes", "1", "--pes", "1",
                                        "--stack-size", "256K", test_program("ampi/collective_chain")});
  CAPTURE(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text.find("all is well\n") != std::string::npos);
}

TEST_CASE("programs of communicators find all well", "[ampi][programs]") {
  check_all({"communicator_trees", "communicator_inter", "communicator_attributes"});
}

TEST_CASE("programs of topologies find all well", "[ampi][programs]") {
  check_all({"topology_grids", "topology_graphs"});
}

TEST_CASE("attributes of MPI_COMM_SELF are deleted at the end", "[ampi][programs]") {
  const ProgramRun ended = run({2, 1, 1}, "communicator_attributes");
  CHECK(ended.text.find("deleted at the end: 42\n") != std::string::npos);
}

}  // namespace kaon::testing
