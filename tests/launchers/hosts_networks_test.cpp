// SPDX-License-Identifier: Apache-2.0
// Networks of a run on two hosts that are named wrongly, or are not there on one of them.
#include <string>
#include <vector>

#include "tests/launchers/hosts.hpp"
#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::hosts_networks {

void change(const Hosts& hosts, int host, std::vector<std::string> words) {
  words.insert(words.begin(), tool("ip"));
  const ProgramRun run = run_program(hosts.on(host, words));
  INFO(run.text);
  REQUIRE(run.code == 0);
}

// On this host alone: from one end of it to the other.
void add_network(const Hosts& hosts, int host) {
  change(hosts, host, {"link", "add", "other", "type", "veth", "peer", "name", "other1"});
  change(hosts, host, {"link", "set", "other1", "up"});
}

ProgramRun run_over(const Hosts& hosts, const std::string& interface) {
  return run_program(hosts.mpirun({test_program("traffic_program"), "pairs"}, {.interface = interface}));
}

void check_refused(const Hosts& hosts, const std::string& fault) {
  check_end(run_over(hosts, "other"), 2,
            {"--interface names no network of host kaon-host1: other " + fault, "there could be used: kaon0"});
}

TEST_CASE("an interface that is no network of one of the hosts is named with the fault", "[launchers][bad input]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  add_network(hosts, 0);
  change(hosts, 0, {"link", "set", "other", "up"});
  change(hosts, 0, {"address", "add", "10.99.8.1/24", "dev", "other"});
  check_refused(hosts, "is not there");
  add_network(hosts, 1);
  check_refused(hosts, "is down");
  change(hosts, 1, {"link", "set", "other", "addrgenmode", "none"});  // nor does it give itself an address
  change(hosts, 1, {"link", "set", "other", "up"});
  check_refused(hosts, "has no address");
}

TEST_CASE("a network that does not join the hosts is an error with a question", "[launchers][bad input]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const ProgramRun run = run_over(hosts, "lo");
  CAPTURE(run.text);
  CHECK((run.code == 2 || run.code == 3));
  CHECK_THAT(run.text, contains_text("does --interface name the network"));
}

TEST_CASE("an interface may be called differently on each host", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  change(hosts, 1, {"link", "set", Hosts::kInterface, "down"});
  change(hosts, 1, {"link", "set", Hosts::kInterface, "name", "ens3"});
  change(hosts, 1, {"link", "set", "ens3", "up"});
  hosts.wait_until_carried(0);
  hosts.wait_until_carried(1, "ens3");
  check_end(run_over(hosts, std::string(Hosts::kInterface) + ",ens3"), 0);
}

// Processes of the first host alone get what mpirun has in its environment.
TEST_CASE("a network that UCX's own variable names wrongly is an error that names the variables", "[launchers]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const Variable device("UCX_NET_DEVICES", "kaon9");
  check_end(run_over(hosts, Hosts::kInterface), 2, {"unset UCX_TLS and the other UCX_ variables"});
}

}  // namespace kaon::testing::hosts_networks
