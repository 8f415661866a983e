// SPDX-License-Identifier: Apache-2.0
// The MPI programs of examples/, run by ampirun in several shapes.
#include <string>
#include <vector>

#include "tests/ampi_shim/programs/ampirun_command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing {
namespace {

const std::vector<Shape> kShapes{{2, 1, 1}, {5, 1, 2}, {2, 2, 1}, {12, 2, 2}, {64, 2, 1}};

ProgramRun run(const Shape& shape, const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = ampirun_command(shape);
  command.push_back(program("mpi/" + name));
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command);
}

/// What one rank prints; it ends in a check sum.
std::string line_of_one_rank(const std::string& name, const std::vector<std::string>& arguments) {
  const ProgramRun ended = run({1, 1, 1}, name, arguments);
  CHECK(ended.code == 0);
  CHECK(ended.text.find("check sum ") != ended.text.npos);
  return ended.text;
}

void check_same_on_all_shapes(const std::string& name, const std::vector<std::string>& arguments) {
  const std::string line = line_of_one_rank(name, arguments);
  for (const Shape& shape : kShapes) {
    CAPTURE(name, shape.ranks, shape.processes, shape.pes);
    const ProgramRun ended = run(shape, name, arguments);
    CHECK(ended.code == 0);
    CHECK(ended.text == line);
  }
}

}  // namespace

TEST_CASE("the heat program computes the same bits on any number of ranks", "[ampi][examples]") {
  check_same_on_all_shapes("heat", {"-q", "-n", "61", "-s", "120", "-e", "30"});
}

TEST_CASE("the heat program ends on all ranks when the change is small enough", "[ampi][examples]") {
  check_same_on_all_shapes("heat", {"-q", "-n", "32", "-s", "5000", "-e", "7", "-t", "1e-3"});
}

TEST_CASE("the heat program refuses fewer cells than ranks", "[ampi][examples]") {
  const ProgramRun ended = run({9, 1, 1}, "heat", {"-n", "2"});
  CHECK(ended.code == 2);
  CHECK(ended.text == "2 cells an edge are too few for 3 ranks: give more by -n\n");
}

TEST_CASE("the sample sort sorts the same on any number of ranks", "[ampi][examples]") {
  check_same_on_all_shapes("sample_sort", {"-q", "-n", "50000"});
}

TEST_CASE("the sample sort sorts few different keys, fewer than ranks, and none", "[ampi][examples]") {
  check_same_on_all_shapes("sample_sort", {"-q", "-n", "3000", "-d", "3"});
  check_same_on_all_shapes("sample_sort", {"-q", "-n", "7"});
  check_same_on_all_shapes("sample_sort", {"-q", "-n", "0"});
}

TEST_CASE("options of the examples are explained, and others refused", "[ampi][examples]") {
  for (const std::string name : {"heat", "sample_sort"}) {
    const ProgramRun helped = run({3, 1, 1}, name, {"-h"}), refused = run({3, 1, 1}, name, {"-x"});
    CHECK(helped.code == 0);
    CHECK(helped.text.find("[-n ") != helped.text.npos);
    CHECK(refused.code == 2);
    CHECK(refused.text.find("invalid option -- 'x'") != refused.text.npos);
  }
}

}  // namespace kaon::testing
