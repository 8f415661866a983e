// SPDX-License-Identifier: Apache-2.0
// A receiver whose device has no memory left for what arrives says so and ends the run.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace {

const std::string kLauncher = kaon::testing::program("kaonrun");
const std::string kFailing = kaon::testing::test_program("device_failing_program");

/// Payloads arrive for ever at a PE that keeps them all; their sender's memory is used again and again.
kaon::testing::ProgramRun run_until_full(const std::string& device, const std::vector<std::string>& options) {
  std::vector<std::string> command{kLauncher, "-n", "2", kFailing, "keep", "--device", device, "--pes", "1"};
  command.insert(command.end(), options.begin(), options.end());
  return kaon::testing::run_program(command);
}

}  // namespace

TEST_CASE("a payload that the receiver's device has no memory for ends the run", "[device][bad input]") {
  for (const char* transport : {"direct", "staged"}) {
    const kaon::testing::Variable memory("KAON_HOST_DEVICE", "memory_mib=64");
    const kaon::testing::Variable unfetched("KAON_FETCH_UP_TO", "0");  // the sender keeps nothing for its receiver
    const kaon::testing::ProgramRun run = run_until_full("host", {"--transport", transport});
    CAPTURE(transport, run.text);
    CHECK(run.code == 4);
    CHECK(run.text.find("a buffer of 400000 bytes does not fit into the memory of device 0") != std::string::npos);
    CHECK(run.text.find("process 1") != std::string::npos);
  }
}

TEST_CASE("a process that has taken what it may of a device says which option allows more",
          "[device][bad input][outside]") {
  const kaon::testing::ProgramRun run = run_until_full(kaon::testing::device_choice(), {"--device-memory-mib", "32"});
  CAPTURE(run.text);
  CHECK(run.code == 4);
  CHECK(run.text.find("this process has 32 MiB of it") != std::string::npos);
  CHECK(run.text.find("--device-memory-mib") != std::string::npos);
}
