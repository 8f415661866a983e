// SPDX-License-Identifier: Apache-2.0
// A receiver whose device has no memory left for what arrives says so and ends the run.
#include <stdlib.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace {

const std::string kLauncher = kaon::testing::program("kaonrun");
const std::string kFailing = kaon::testing::test_program("device_failing_program");

/// Payloads arrive for ever at a PE that keeps them all; their sender's memory is used again and again.
kaon::testing::ProgramRun run_until_full(const std::string& transport) {
  setenv("KAON_HOST_DEVICE", "memory_mib=64", 1);
  auto run = kaon::testing::run_program(
      {kLauncher, "-n", "2", kFailing, "keep", "--device", "host", "--pes", "1", "--transport", transport});
  unsetenv("KAON_HOST_DEVICE");
  return run;
}

}  // namespace

TEST_CASE("a payload that the receiver's device has no memory for ends the run", "[device][bad input]") {
  for (const char* transport : {"direct", "staged"}) {
    const kaon::testing::ProgramRun run = run_until_full(transport);
    CAPTURE(transport, run.text);
    CHECK(run.code == 4);
    CHECK(run.text.find("a buffer of 400000 bytes does not fit into the memory of device 0") != std::string::npos);
    CHECK(run.text.find("process 1") != std::string::npos);
  }
}
