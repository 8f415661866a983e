// SPDX-License-Identifier: Apache-2.0
// Memory that other processes cannot map is sent through the host, and the program is told so.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace {

const std::string kLauncher = kaon::testing::program("kaonrun");
const std::string kForeign = kaon::testing::test_program("device_foreign_program");
const std::string kPool = "it comes from an asynchronous pool or from virtual memory calls";
const std::string kManaged = "it is managed memory";
const std::string kWarning = "payloads in registered memory of 200000 bytes go through the host: ";

using kaon::testing::Variable;

/// What the program and the report say on two PEs.
std::string said(const std::string& processes, const std::string& pes) {
  const std::vector<std::string> command{
      kLauncher, "-n", processes, kForeign, "--pes", pes, "--device", "host", "--explain-transfers"};
  const Variable unfetched("KAON_FETCH_UP_TO", "0");  // as Kaon's own memory would be
  const kaon::testing::ProgramRun run = kaon::testing::run_program(command);
  CAPTURE(processes, pes, run.text);
  CHECK(run.code == 0);
  return run.text;
}

int times(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Eight payloads go from there; four come back from there, the others from Kaon's own memory.
void check_staged(const char* settings, const std::string& reason) {
  const Variable foreign("KAON_HOST_DEVICE", settings);
  const std::string text = said("2", "1");
  CAPTURE(settings, text);
  CHECK(times(text, "right 8, staged 12, direct 4\n") == 1);
  CHECK(times(text, "12 because " + reason) == 1);
  CHECK(times(text, "not direct: 12 payloads") == 1);
  CHECK(times(text, kWarning + reason) == 2);  // once for each registration
  CHECK(times(text, "process 0: warning: " + kWarning) == 1);
  CHECK(times(text, "process 1: warning: " + kWarning) == 1);
}

}  // namespace

TEST_CASE("memory of pools and managed memory is staged, with a warning and a reason", "[device][foreign]") {
  check_staged("foreign=pool", kPool);
  check_staged("foreign=managed", kManaged);
}

TEST_CASE("memory of pools is staged through the network of the host too", "[device][foreign]") {
  const Variable way("KAON_TESTING", "stage_through=network");
  check_staged("foreign=pool,delay_us=100", kPool);
}

TEST_CASE("memory of pools is handed over inside a process, without a warning", "[device][foreign]") {
  const Variable foreign("KAON_HOST_DEVICE", "foreign=pool");
  const std::string text = said("1", "2");
  CAPTURE(text);
  CHECK(times(text, "right 8, staged 0, direct 0\n") == 1);
  CHECK(times(text, kWarning) == 0);
}

TEST_CASE("memory of plain allocations goes directly, without a warning", "[device][foreign]") {
  const std::string text = said("2", "1");
  CAPTURE(text);
  CHECK(times(text, "right 8, staged 0, direct 16\n") == 1);
  CHECK(times(text, kWarning) == 0);
}
