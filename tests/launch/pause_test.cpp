// SPDX-License-Identifier: Apache-2.0
// Runs that are stopped by ctrl-Z, and go on.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "tests/launch/peers.hpp"
#include "tests/launch/supervised_run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::peers {
namespace {

// Until all of them are stopped, or none is; false after as long as no test may take.
bool are_soon_stopped(const std::vector<pid_t>& pids, bool stopped) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto is_so = [stopped](pid_t pid) { return is_stopped(pid) == stopped; };
  while (std::chrono::steady_clock::now() < until)
    if (std::all_of(pids.begin(), pids.end(), is_so)) return true;
  return false;
}

}  // namespace

TEST_CASE("ctrl-Z at a terminal stops all of a run until the shell lets it go on", "[launch]") {
  const std::string run_text = program("kaonrun") + " -n 3 " + peer_program() + " hold";
  const std::string script = "set -m; " + run_text + "; echo stopped; read -r line; fg >/dev/null; echo code $?";
  LaunchedRun run({"-n", "1", "bash", "-c", script}, LaunchedRun::Input::kScreen);
  const auto pids = run.wait_until_ready(3);
  run.type("\x1a");
  run.wait_for("stopped\n");
  CHECK(are_soon_stopped(pids, true));
  run.type("\n");
  CHECK(are_soon_stopped(pids, false));
  kill(pids[2], SIGKILL);
  const Outcome outcome = run.finish(kSoon);
  INFO(outcome.text);
  CHECK(has(outcome, "kaonrun: " + name(2, pids[2]) + " was killed by signal 9"));
  CHECK(has(outcome, "code 137\n"));
}

TEST_CASE("kaonrun that nobody could continue does not stop", "[launch]") {
  LaunchedRun run(peers(3, "hold"));  // of a session of its own
  const auto pids = run.wait_until_ready(3);
  run.signal(SIGTSTP);
  run.signal(SIGUSR1);  // read behind it
  run.signal(SIGTERM);
  const Outcome outcome = run.finish(kSoon);
  CHECK(outcome.signal == SIGTERM);
}

}  // namespace kaon::testing::peers

namespace kaon::testing::supervised {

TEST_CASE("processes stop before kaonrun, and go on behind it", "[launch]") {
  Run run;
  run.leave_together();
  run.exit_with(1, 0);
  run.record.killed.clear();
  run.supervisor.on_signal(SIGTSTP);
  CHECK(run.record.killed_before_pause == 2);
  CHECK(run.record.killed ==
        std::vector{std::pair{0, SIGTSTP}, std::pair{2, SIGTSTP}, std::pair{0, SIGCONT}, std::pair{2, SIGCONT}});
  CHECK(run.supervisor.interruption() == 0);
}

TEST_CASE("the time in which kaonrun is stopped is none of its processes' grace", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_signal(SIGINT);
  CHECK(run.supervisor.interruption() == SIGINT);
  run.record.killed.clear();
  run.now += milliseconds(60000);
  run.pass(milliseconds(500), {});
  CHECK(run.record.killed.empty());
  run.pass(milliseconds(1000), {});
  CHECK(run.record.killed.size() == 3);
}

}  // namespace kaon::testing::supervised
