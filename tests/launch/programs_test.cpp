// SPDX-License-Identifier: Apache-2.0
// What kaonrun gives to the programs that it starts, takes from them, and leaves of them.
#include "tests/support/programs.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/peers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/process_facts.hpp"

namespace kaon::testing::peers {

TEST_CASE("no program outlives kaonrun, not even one that knows nothing of it", "[launch]") {
  LaunchedRun run({"-n", "2", "sh", "-c", "echo ready $KAON_PROCESS pid $$; exec sleep 60"});
  run.wait_until_ready(2);
  run.signal(SIGKILL);
  CHECK(run.finish(kSoon).code == 128 + SIGKILL);
}

TEST_CASE("a program is started as kaonrun was", "[launch]") {
  SECTION("with its limit of descriptors, which kaonrun itself has raised") {
    const std::string script = "ulimit -S -n 30; exec " + program("kaonrun") + " -n 9 sh -c 'ulimit -S -n'";
    std::string expected;
    for (int process = 0; process < 9; ++process) expected += "30\n";
    CHECK(LaunchedRun::of_program({"/bin/sh", "-c", script}).finish(kSoon).text == expected);
  }
  SECTION("with the signals that kaonrun ignores or waits for") {
    const int signal = GENERATE(SIGPIPE, SIGUSR1, SIGTERM);
    const std::string script = "kill -" + std::to_string(signal) + " $$; echo it lives";
    check_end(LaunchedRun({"-n", "2", "sh", "-c", script}).finish(kSoon), 128 + signal);
  }
  SECTION("with none of kaonrun's descriptors, but one of its own") {
    const std::string script = "set -- /proc/$$/fd/*; echo $#";
    const Outcome alone = LaunchedRun::of_program({"/bin/sh", "-c", script}).finish(kSoon);
    const std::string each = std::to_string(std::stoi(alone.text) + 1) + "\n";
    for (const auto input : {LaunchedRun::Input::kPipe, LaunchedRun::Input::kScreen})
      CHECK(LaunchedRun({"-n", "3", "/bin/sh", "-c", script}, input).finish(kSoon).text == each + each + each);
  }
}

TEST_CASE("what kaonrun's parent ignores ends a run, unless it is a hang-up", "[launch]") {
  std::vector<std::string> command{"/usr/bin/env", "--ignore-signal=HUP,INT,TERM,CHLD", program("kaonrun")};
  for (const std::string& argument : peers(2, "hold")) command.push_back(argument);
  LaunchedRun run = LaunchedRun::of_program(command);
  run.wait_until_ready(2);
  run.signal(SIGHUP);
  const int signal = GENERATE(SIGINT, SIGTERM);
  run.signal(signal);
  CHECK(run.finish(kSoon).code == 128 + signal);
}

// kaonrun, which was stopped before, sees what has come at a time when it goes on.
const std::string kGoOn = "until grep -q 'State:.Z' /proc/$first/status; do :; done; kill -CONT $PPID";

TEST_CASE("what a killed process has said last is heard", "[launch]") {
  const std::string script = "first=$$; " + kStopParent + "(" + kGoOn + ") & " + kAbort + "kill -9 $$";
  check_end(LaunchedRun({"-n", "1", "bash", "-c", script}).finish(kSoon), 5, {" ended the run: words"});
}

// A folder in which scripts leave each other files.
class Folder {
 public:
  Folder() { REQUIRE(mkdtemp(path_.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_ = "/tmp/kaon-test-XXXXXX";
};

TEST_CASE("what a process has started sees its end while others go on", "[launch]") {
  const Folder folder;
  const std::string seen = folder.file("seen");
  const std::string script = "if [ $KAON_PROCESS = 1 ]; then until [ -e " + seen + " ]; do :; done; exit 0; fi; " +
                             "(while read -r line; do :; done <&$KAON_BOOTSTRAP_FD; touch " + seen + ") & exit 0";
  CHECK(LaunchedRun({"-n", "2", "bash", "-c", script}).finish(kSoon).code == 0);
}

TEST_CASE("kaonrun keeps two descriptors for each process whose program runs", "[launch]") {
  const auto kept = [](int processes) {
    LaunchedRun run(peers(processes, "hold"));
    const pid_t kaonrun = parent_of(run.wait_until_ready(processes).front());
    const std::filesystem::directory_iterator open("/proc/" + std::to_string(kaonrun) + "/fd");
    return std::distance(begin(open), end(open));
  };
  CHECK(kept(12) - kept(2) == 20);
}

TEST_CASE("a process below a program of another kind ends when kaonrun is gone", "[launch]") {
  LaunchedRun run({"-n", "2", "sh", "-c", peer_program() + " hold; true"});
  run.wait_until_ready(2);
  run.signal(SIGKILL);
  CHECK(run.finish(kSoon).code == 128 + SIGKILL);
}

TEST_CASE("a program that a process starts has no way to kaonrun", "[launch]") {
  const Outcome outcome = LaunchedRun({"-n", "2", test_program("own_way_peer"), "start_another"}).finish(kSoon);
  CHECK(outcome.code == 0);
  CHECK(outcome.text == "the way: none, sockets: 0\nthe way: none, sockets: 0\n");
}

TEST_CASE("a program that has no way to kaonrun any more says what to do", "[launch]") {
  const std::string script = "eval \"exec $KAON_BOOTSTRAP_FD>&-\"; exec " + peer_program() + " exchange";
  check_end(LaunchedRun({"-n", "1", "bash", "-c", script}).finish(kSoon), kExitUsage,
            {"of KAON_BOOTSTRAP_FD is not open"});
}

TEST_CASE("a process that has left the run may live on, and gets no user's signal", "[launch]") {
  LaunchedRun run({"-n", "4", test_program("own_way_peer"), "leave_and_live"});
  run.wait_until_ready(4);
  run.signal(SIGUSR1);
  run.wait_until_said("answered\n");
  run.type("\n");
  check_end(run.finish(kSoon), 0);
}

TEST_CASE("a user's signal ends no process that has joined, under kaonrun or alone", "[launch]") {
  CHECK(LaunchedRun({"-n", "2", test_program("own_way_peer"), "know_user_signal"}).finish(kSoon).code == 0);
  CHECK(LaunchedRun::of_program({test_program("own_way_peer"), "know_user_signal"}).finish(kSoon).code == 0);
}

TEST_CASE("a process that is started without standard streams has empty ones", "[launch]") {
  const std::string script = test_program("own_way_peer") + " have_streams <&- >&- 2>&-";
  CHECK(LaunchedRun({"-n", "2", "sh", "-c", script}).finish(kSoon).code == 0);
  CHECK(LaunchedRun::of_program({"/bin/sh", "-c", script}).finish(kSoon).code == 0);
}

TEST_CASE("a process alone has its signals back when its run is over", "[launch]") {
  LaunchedRun run = LaunchedRun::of_program({test_program("own_way_peer"), "outlive_run"});
  run.wait_until_ready(1);
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  run.signal(signal);
  CHECK(run.finish(kSoon).code == 128 + signal);
}

TEST_CASE("a process alone goes on ignoring what its parent ignores", "[launch]") {
  LaunchedRun run = LaunchedRun::of_program(
      {"/usr/bin/env", "--ignore-signal=HUP,INT", "UCX_DEBUG_SIGNO=0", test_program("own_way_peer"), "wait_for_line"});
  run.wait_until_ready(1);
  run.signal(GENERATE(SIGHUP, SIGINT));
  run.type("\n");
  CHECK(run.finish(kSoon).code == 0);
}

TEST_CASE("a second run of a process alone loses no line either when it is interrupted", "[launch]") {
  LaunchedRun run = LaunchedRun::of_program({test_program("own_way_peer"), "print_in_second_run"});
  run.wait_until_said("printed\n");
  run.signal(SIGTERM);
  check_end(run.finish(kSoon), 128 + SIGTERM, {"printed by 0\n"});
}

TEST_CASE("what processes have written comes before what kaonrun says of them", "[launch]") {
  const std::string script = "if [ $KAON_PROCESS = 0 ]; then exec sleep 60; fi; " + kStopParent + "echo a line; " +
                             kAbort + "kill -CONT $PPID; exec sleep 60";
  const Outcome outcome = LaunchedRun({"-n", "2", "bash", "-c", script}).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 5);
  CHECK(outcome.text.starts_with("a line\nkaonrun: "));
}

TEST_CASE("what processes have started ends with a run that fails, and not with one that does not", "[launch]") {
  SECTION("it fails") {
    const std::string script = "sleep 60 & exec " + peer_program() + " give_up";
    CHECK(LaunchedRun({"-n", "2", "sh", "-c", script}).finish(kSoon).code == 5);
  }
  SECTION("it does not") {
    const std::string script = "(while read -r line; do :; done <&$KAON_BOOTSTRAP_FD; echo the last) & exit 0";
    const Outcome outcome = LaunchedRun({"-n", "1", "bash", "-c", script}).finish(kSoon);
    CHECK(outcome.code == 0);
    CHECK(outcome.text == "the last\n");
  }
}

TEST_CASE("who has started already ends when another cannot be started", "[launch]") {
  std::string folder = "/tmp/kaon-test-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string once = folder + "/once";
  std::ofstream(once) << "#!/bin/sh\nrm -f \"$0\"\nexec sleep 60\n";
  std::filesystem::permissions(once, std::filesystem::perms::owner_all);
  check_end(LaunchedRun({"-n", "1000", once}).finish(kSoon), kExitUsage, {"cannot run " + once});
  std::filesystem::remove_all(folder);
}

// All of its threads: one that has yet to stop would stop for the debugger alone.
void stop(pid_t pid) {
  kill(pid, SIGSTOP);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (std::string text; text.find(") T ") == std::string::npos && std::chrono::steady_clock::now() < until;)
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), text);
}

TEST_CASE("kaonrun sees a debugger that holds a process, and waits", "[launch]") {
  LaunchedRun run(peers(2, "hold"));  // without a shorter limit: once killed, nobody holds it any more
  const auto pids = run.wait_until_ready(2);
  stop(pids[1]);
  if (ptrace(PTRACE_SEIZE, pids[1], nullptr, nullptr) != 0) {
    WARN("not seen: nobody may debug here");
    return;
  }
  run.wait_until_said(name(1, pids[1]) + " is not responding: a debugger holds it; the run waits");
  kill(pids[1], SIGKILL);
  int status = 0;
  while (waitpid(pids[1], &status, __WALL) == pids[1] && !WIFSIGNALED(status)) {
  }
  CHECK(run.finish(kSoon).code == 128 + SIGKILL);
}

}  // namespace kaon::testing::peers
