// SPDX-License-Identifier: Apache-2.0
// A host whose ports of TCP are all in use is played by a network with a small range of them.
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::ports {

std::vector<std::string> with_ports(int count, const std::string& command) {
  const std::string range = "50001 " + std::to_string(50000 + count);
  return {"/bin/sh", "-c",
          "exec unshare --net sh -c 'ip link set lo up && echo " + range +
              " > /proc/sys/net/ipv4/ip_local_port_range && exec " + command + "'"};
}

TEST_CASE("a run that gets no port of TCP says so, and how to get more", "[multiprocess]") {
  if (geteuid() != 0 || run_program(with_ports(1, "true")).code != 0) {
    WARN("not seen: root makes networks, where the system lets him");
    return;
  }
  const Variable transports("UCX_TLS", "tcp");
  const int count = GENERATE(1, 2);  // two are just enough to listen at
  const std::string launch = program("kaonrun") + " -n 2 " + test_program("printing_program") + " --pes 1";
  const ProgramRun run = run_program(with_ports(count, launch));
  CAPTURE(count, run.text);
  CHECK(run.code == 4);
  const std::string range = " (50001 to " + std::to_string(50000 + count) + ")";
  CHECK_THAT(run.text, contains_text("all ports of net.ipv4.ip_local_port_range" + range + " are in use"));
}

}  // namespace kaon::testing::ports
