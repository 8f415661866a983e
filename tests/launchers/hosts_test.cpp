// SPDX-License-Identifier: Apache-2.0
// Runs over two hosts, which are namespaces of this one: what goes over the wire between them, and what becomes of a
// run when one is gone.
#include "tests/launchers/hosts.hpp"

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::hosts {

using namespace std::chrono_literals;

const std::string kPrinting = test_program("printing_program");
const std::string kFailing = test_program("failing_program");
const std::string kTraffic = test_program("traffic_program");
constexpr long kMegabyte = 1'000'000;

TEST_CASE("between hosts all kinds of traffic arrive over TCP", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const ProgramRun run = run_program(hosts.mpirun({kPrinting, "--log-level", "info"}));
  CAPTURE(run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text, contains_text("4 processes on 2 hosts") && contains_text("tcp"));
  const long before = hosts.wire_bytes();
  for (const char* kind : {"pairs", "storm", "payloads", "large", "calls", "moves", "farewell"}) {
    const ProgramRun traffic = run_program(hosts.mpirun({kTraffic, kind}));
    CAPTURE(kind, traffic.text);
    CHECK(traffic.code == 0);
  }
  CHECK(hosts.wire_bytes() - before > 50 * kMegabyte);
}

TEST_CASE("within a host nothing goes over the wire", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const long before = hosts.wire_bytes();
  for (const char* kind : {"payloads", "large"})
    CHECK(run_program(hosts.mpirun({kTraffic, kind}, {.is_local = true})).code == 0);
  CHECK(hosts.wire_bytes() - before < kMegabyte);
}

TEST_CASE("payloads in device memory go between hosts by way of the host", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  for (const char* kind : {"exchange", "several", "reuse"}) {
    const ProgramRun run =
        run_program(hosts.mpirun({test_program("device_traffic_program"), kind, "--device", "host"}));
    CAPTURE(kind, run.text);
    CHECK(run.code == 0);
  }
}

TEST_CASE("rounds of channels go between hosts, whoever drives their ends", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  check_end(run_program(hosts.mpirun(
                {test_program("device_channel_program"), "talk", "--device", "host", "--explain-transfers"})),
            0, {"0 pairings are wrong", "rounds of channels: the partner's memory is out"});
}

TEST_CASE("processes of an MPI program on two hosts find each other by MPI", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const std::string interface = std::string("KAON_INTERFACE=") + Hosts::kInterface;
  check_end(run_program(hosts.mpirun({"--mca", "pml", "ob1", "--mca", "btl_tcp_if_include", Hosts::kInterface, "-x",
                                      "KAON_LOG_LEVEL=info", "-x", "KAON_PES=1", "-x", interface, "-x",
                                      "LSAN_OPTIONS=detect_leaks=0", test_program("mpi_library_program"),
                                      "many sessions", "by MPI"})),
            0, {"0 wrong", "4 processes on 2 hosts", "tcp"});
}

TEST_CASE("an error of an entry is the code of a run on two hosts", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  const Hosts hosts;
  const ProgramRun entry = run_program(hosts.mpirun({kFailing, "entry"}));
  CAPTURE(entry.text);
  CHECK(entry.code == 1);
  CHECK_THAT(entry.text, contains_text("process 3: PE 3: the entry gave up") && !contains_text("Assertion"));
  if (kHasAddressSanitizer) return;  // whose handler of crashes ends a process in its own way
  check_end(run_program(hosts.mpirun({kFailing, "crash", "segv"})), 128 + SIGSEGV);
}

TEST_CASE("a run on two hosts ends when one of them is gone", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  Hosts hosts;
  LaunchedRun run = LaunchedRun::of_program(hosts.mpirun({kFailing, "wait"}));
  run.wait_for("ready", 4);
  hosts.kill_second();
  CHECK(run.finish(60s).code != 0);
}

// What TCP does about it takes 20 s; mpirun itself, which waits for its other half for longer, is ended by the test.
TEST_CASE("a run on two hosts ends when the wire between them stays cut", "[launchers][hosts]") {
  if (cannot_make_hosts()) return;
  Hosts hosts;
  LaunchedRun run = LaunchedRun::of_program(hosts.mpirun({kFailing, "wait"}));
  run.wait_for("ready", 4);
  hosts.cut_wire();
  run.wait_until_said("ended because process");
  hosts.kill_second();
  run.signal(SIGKILL);
  run.finish();  // nothing is left
}

}  // namespace kaon::testing::hosts
