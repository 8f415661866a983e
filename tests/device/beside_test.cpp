// SPDX-License-Identifier: Apache-2.0
// Memory that goes back to the driver, or is wanted, while a kernel or a stream waits for what the PE does next.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace {

const std::string kProgram = kaon::testing::test_program("device_beside_program");

void check_beside(const std::string& device) {
  const std::vector<std::vector<std::string>> ways{
      {"trim", "kernel", "--pes", "2"}, {"trim", "stream", "--pes", "2"}, {"memory", "--device-memory-mib", "64"}};
  for (const std::vector<std::string>& way : ways) {
    std::vector<std::string> command{kProgram};
    command.insert(command.end(), way.begin(), way.end());
    command.insert(command.end(), {"--device", device});
    const kaon::testing::ProgramRun run = kaon::testing::run_program(command);
    CAPTURE(way, run.text);
    CHECK(run.code == 0);
    CHECK(run.text.find("right\n") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("no wait of the driver's ends in a circle, where giving memory back waits for the device",
          "[device][memory]") {
  for (const char* settings : {"free=waits", "free=waits,seed=5"}) {
    const kaon::testing::Variable waits("KAON_HOST_DEVICE", settings);
    check_beside("host");
  }
}

TEST_CASE("no wait of the driver's ends in a circle on the chosen device", "[device][memory][outside]") {
  check_beside(kaon::testing::device_choice());
}
