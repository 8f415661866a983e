// SPDX-License-Identifier: Apache-2.0
// threads: PEs of several processes, and the one that starts sessions
// Sessions of programs that kaonrun starts: every process runs, or the others serve process 0; and what goes wrong.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::sessions {

/// Two processes of two PEs.
ProgramRun run_session(const std::string& what) {
  return run_program({program("kaonrun"), "-n", "2", test_program("session_program"), what});
}

TEST_CASE("every process of a session runs the same tasks and gets their results", "[multiprocess][session]") {
  check_end(run_session("together"), 0, {"process 0: total 1600", "process 1: total 1600"});
}

TEST_CASE("processes serve the runs of process 0 until it stops the session", "[multiprocess][session]") {
  check_end(run_session("serve"), 0, {"process 0: total 48", "process 1: total 48"});
}

TEST_CASE("who ends its session first takes part in what process 0 still runs", "[multiprocess][session]") {
  check_end(run_session("unequal"), 0, {"process 0: total 32"});
}

TEST_CASE("an entry's error that a main task awaits comes out of the run in process 0", "[multiprocess][session]") {
  check_end(run_session("catch"), 0, {"process 0 caught: a node fails", "process 1: total 16"});
}

TEST_CASE("a session left by an exception ends the run of the others", "[multiprocess][session]") {
  check_end(run_session("throw"), 1, {"an exception has left a session", "to see what it says"});
}

TEST_CASE("what a main task throws is said when it leaves a session that others take part in",
          "[multiprocess][session]") {
  check_end(run_session("throw-in-main"), 1, {"while the session lives. Its main task has thrown: no such table"});
}

TEST_CASE("an entry that fails in a session ends the run and is named", "[multiprocess][session]") {
  check_end(run_session("entry"), 1, {"a node fails", "Node::fail of element (15, 0, 0)"});
}

TEST_CASE("a process has one session in a run of kaonrun's", "[multiprocess][session]") {
  check_end(run_session("again"), 9, {"keep its session and run more in it"});
}

}  // namespace kaon::testing::sessions
