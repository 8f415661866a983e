// SPDX-License-Identifier: Apache-2.0
// Threads of OpenMP in entries: where they run.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::openmp {

struct Cores {
  int threads = 0;
  int used = 0;
  int all = 0;
};

Cores cores_of(const std::vector<std::string>& options) {
  std::vector<std::string> command{test_program("openmp_program"), "--pes", "1"};
  command.insert(command.end(), options.begin(), options.end());
  const ProgramRun run = run_program(command);
  CAPTURE(run.text);
  REQUIRE(run.code == 0);
  Cores cores;
  REQUIRE(std::sscanf(run.text.c_str(), "%d threads on %d of %d cores", &cores.threads, &cores.used, &cores.all) == 3);
  return cores;
}

TEST_CASE("OpenMP threads beside PEs run on the cores that the options give them", "[multiprocess][cores]") {
  if (kHasThreadSanitizer) return;  // which does not see how libgomp's threads wait for each other
  const Cores shared = cores_of({"--no-pin"});
  if (shared.threads == 0) {
    WARN("not seen: this compiler has no OpenMP");
    return;
  }
  CHECK(shared.threads == 3);
  CHECK(shared.used == shared.all);
  const Cores bound = cores_of({});
  CHECK(bound.threads == 3);
  CHECK(bound.used == 1);
}

}  // namespace kaon::testing::openmp
