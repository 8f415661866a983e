// SPDX-License-Identifier: Apache-2.0
// Faults between two hosts that pass: a wire that comes back, a bad one, a process that is stopped and goes on. And
// names that do not resolve.
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "tests/launchers/hosts.hpp"
#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::hosts_faults {

using namespace std::chrono_literals;

constexpr long kMegabyte = 1'000'000;

// Traffic in both directions, of which each message is checked, until it is stopped.
class Stream {
 public:
  explicit Stream(const Hosts& hosts, const std::string& when = "now")
      : hosts_(hosts),
        run_(LaunchedRun::of_program(hosts.mpirun({test_program("stream_program"), hosts.folder(), when}))),
        pids_(run_.wait_until_ready(4)) {}

  LaunchedRun& run() { return run_; }
  [[nodiscard]] pid_t pid(std::size_t process) const { return pids_.at(process); }
  void create(const char* file) const { std::ofstream(hosts_.folder() + "/" + file) << '\n'; }
  void stop_and_check() {
    create("stop");
    check_end(run_.finish(60s), 0, {" rounds, 0 wrong"});
  }

 private:
  const Hosts& hosts_;
  LaunchedRun run_;
  std::vector<pid_t> pids_;
};

// Meanwhile TCP tries in vain, each time after a longer wait; if one connection alone has what to send, the fourth is
// three seconds after the cut. Much later the host would be taken for lost.
TEST_CASE("a run goes on when the wire between its hosts comes back", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  for (const int host : {0, 1}) {
    const Hosts hosts;
    Stream stream(hosts);
    hosts.wait_for_traffic(20 * kMegabyte);
    hosts.cut_wire(host);
    hosts.wait_for("TCPTimeouts", 4);
    hosts.mend_wire(host);
    hosts.wait_for_traffic(20 * kMegabyte);
    stream.stop_and_check();
  }
}

TEST_CASE("a run goes on over a wire that comes and goes", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  Stream stream(hosts);
  for (int time = 0; time < 6; ++time) {
    hosts.wait_for_traffic(5 * kMegabyte);
    hosts.cut_wire(time % 2);
    hosts.wait_for("TCPTimeouts", 2);
    hosts.mend_wire(time % 2);
  }
  stream.stop_and_check();
}

// PEs 1 and 2 have not met when the stream begins. On the first host the interface is gone, and with the second one's
// it has no carrier.
TEST_CASE("a connection that is first needed while the wire is cut is made later", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  for (const int host : {0, 1}) {
    const Hosts hosts;
    Stream stream(hosts, "later");
    hosts.cut_wire(host);
    stream.create("go");
    stream.run().wait_until_said("the network is down: the way to PE 2 of another host is waited for");
    hosts.mend_wire(host);
    hosts.wait_for_traffic(20 * kMegabyte);
    stream.stop_and_check();
  }
}

TEST_CASE("nothing is lost of a run over a wire that loses packets and is slow", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  if (!hosts.spoil_wire()) {
    WARN("not seen: this system has no tbf, bpf or mirred to spoil a wire with");
    return;
  }
  Stream stream(hosts);
  hosts.wait_for_traffic(20 * kMegabyte);
  stream.stop_and_check();
  CHECK(hosts.count("RetransSegs") > 100);
}

// For longer than a host that is silent is waited for: the three connections by which that is seen are probed
// from both ends every five seconds.
// The flood is several times the memory that its sender may use.
TEST_CASE("who sends to a process that is stopped waits until it goes on", "[launchers][hosts]") {
  if (cannot_make_hosts() || kHasAddressSanitizer) return;  // with which the flood is short, and has no limit
  const Hosts hosts;
  const long before = hosts.wire_bytes();
  LaunchedRun run = LaunchedRun::of_program(hosts.mpirun({test_program("flood_program"), "large"}));
  hosts.wait_for_traffic(40 * kMegabyte);
  hosts.signal_second("STOP", "flood_program");
  hosts.wait_for("TCPKeepAlive", 30);
  hosts.signal_second("CONT", "flood_program");
  check_end(run.finish(60s), 0, {"large: 400 of 400"});
  CHECK(hosts.wire_bytes() - before > 400 * kMegabyte);
}

TEST_CASE("of a process that stays stopped the others say so when asked, and mpirun ends it", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  for (const int signal : {SIGTERM, SIGINT}) {
    const Hosts hosts;
    Stream stream(hosts);
    hosts.wait_for_traffic(5 * kMegabyte);
    hosts.signal_second("STOP", "stream_program");
    REQUIRE(kill(stream.pid(0), SIGUSR1) == 0);
    stream.run().wait_until_said("PEs did not answer: they run one entry for long, or their process is stopped");
    stream.run().signal(signal);
    CHECK(stream.run().finish(60s).code != 0);  // and nothing is left
  }
}

TEST_CASE("a host whose name does not resolve is an error of mpirun that ends the run", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const std::string program = test_program("printing_program");
  const ProgramRun run = run_program(hosts.mpirun({program}, {.second = "no-such-host"}));
  CAPTURE(run.text);
  CHECK(run.code != 0);
  CHECK_THAT(run.text, contains_text("cannot resolve no-such-host") && !contains_text("PEs\n"));
}

TEST_CASE("hosts need no names that resolve", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  for (const int host : {0, 1}) {
    const std::string name = "kaon-host" + std::to_string(host);
    CHECK(run_program(hosts.on(host, {tool("hostname")})).text == name + "\n");
    CHECK(run_program(hosts.on(host, {tool("getent"), "hosts", name})).code != 0);
  }
  check_end(run_program(hosts.mpirun({test_program("traffic_program"), "payloads"})), 0);
}

}  // namespace kaon::testing::hosts_faults
