// SPDX-License-Identifier: Apache-2.0
// Wherever memory ends, the run ends with the code of memory and a sentence, and never by a signal or not at all.
#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::memory_end {

using Words = std::vector<std::string>;

const std::string kProgram = test_program("memory_end_program");
const Words kAlone{kProgram};
const Words kLaunched{program("kaonrun"), "-n", "2", kProgram};

ProgramRun run(Words command, const Words& arguments) {
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--pes", "2"});
  return run_program(command);
}

void check_named(const ProgramRun& run) {
  CAPTURE(run.text);
  CHECK(run.code == 4);
  CHECK(run.text.find("out of memory") != run.text.npos);
  CHECK(run.text.find("ulimit -v") != run.text.npos);
}

/// The allocations until the work begins, and until it has ended.
std::array<long, 2> counted(const Words& command) {
  const ProgramRun counts = run(command, {"count"});
  CAPTURE(counts.text);
  REQUIRE(counts.code == 0);
  char* end = nullptr;
  const long begin = std::strtol(counts.text.c_str(), &end, 10);
  const long all = std::strtol(end, nullptr, 10);
  REQUIRE(begin > 0);
  REQUIRE(all > begin);
  return {begin, all};
}

/// The last allocations may be those of threads that the run does not wait for, so that it may end before.
void check_ends(const Words& command, const std::string& from, long most, int runs) {
  std::minstd_rand random(29);
  for (int i = 0; i < runs; ++i) {
    const long at = std::uniform_int_distribution<long>(0, most)(random);
    CAPTURE(command, from, at);
    check_named(run(command, {from, std::to_string(at)}));
  }
}

TEST_CASE("a run whose memory ends at any allocation after its start says so and ends", "[multiprocess][memory]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // whose operator new the program would replace in part
  for (const Words& command : {kAlone, kLaunched}) {
    const std::array<long, 2> counts = counted(command);
    check_ends(command, "run", (counts[1] - counts[0]) / 2, command == kAlone ? 60 : 20);
  }
}

TEST_CASE("a run whose memory ends at any allocation of its start says so and ends", "[multiprocess][memory]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // as above
  for (const Words& command : {kAlone, kLaunched})
    check_ends(command, "start", counted(command)[0] / 2, command == kAlone ? 60 : 20);
}

TEST_CASE("memory that ends in small pieces is named", "[multiprocess][memory]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // which reserve more by themselves than a limit allows
  for (const Words& command : {kAlone, kLaunched})
    for (const char* where : {"before", "crash", "main", "entry", "task", "helper"}) {
      CAPTURE(command, where);
      check_named(run(command, {"pieces", where}));
    }
}

TEST_CASE("address space that ends at the first connection to a process is named", "[multiprocess][memory]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // as above
  check_named(run_program({program("kaonrun"), "-n", "3", kProgram, "connect", "0", "--pes", "1"}));
}

}  // namespace kaon::testing::memory_end
