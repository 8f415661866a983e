// SPDX-License-Identifier: Apache-2.0
// threads: PEs of several processes
// Who awaits ready() is slowed down to its receiver, so that a flood of any length fits into little memory.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::floods {

const std::string kFlood = test_program("flood_program");

// A PE a process, or all in one.
void check_flood(const std::string& kind, const std::string& pes, bool is_one_process) {
  std::vector<std::string> command{kFlood, kind, "--pes", is_one_process ? pes : "1"};
  if (!is_one_process) command.insert(command.begin(), {program("kaonrun"), "-n", pes});
  const ProgramRun run = run_program(command);
  CAPTURE(kind, is_one_process, run.text);
  CHECK(run.code == 0);
}

}  // namespace kaon::testing::floods

using kaon::testing::floods::check_flood;

TEST_CASE("a flood of small messages fits into little memory", "[multiprocess][flood]") {
  for (const bool is_one_process : {true, false}) check_flood("small", "2", is_one_process);
}

TEST_CASE("a flood of large arguments fits into little memory", "[multiprocess][flood]") {
  for (const bool is_one_process : {true, false}) check_flood("large", "2", is_one_process);
}

TEST_CASE("a flood of payloads fits into little memory", "[multiprocess][flood]") {
  for (const bool is_one_process : {true, false}) check_flood("payloads", "2", is_one_process);
}

TEST_CASE("a flood of small and large messages in turn fits into little memory", "[multiprocess][flood]") {
  for (const bool is_one_process : {true, false}) check_flood("mixed", "2", is_one_process);
}

TEST_CASE("a flood through a PE that passes it on fits into little memory", "[multiprocess][flood]") {
  for (const bool is_one_process : {true, false}) check_flood("through", "3", is_one_process);
}
