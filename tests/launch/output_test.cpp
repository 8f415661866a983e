// SPDX-License-Identifier: Apache-2.0
// What processes print comes out, whatever happens to them.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/merged_output.hpp"
#include "tests/launch/peers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::peers {

TEST_CASE("what a process prints at its end is not lost when another has ended with a code", "[launch]") {
  const Outcome outcome = LaunchedRun(peers(3, "end_in_turn")).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 9);
  for (const char* line : {"printed by 0\n", "printed by 1\n", "printed by 2\n"}) CHECK(has(outcome, line));
  CHECK(has(outcome, "kaonrun: all processes ended with code 9\n"));
}

TEST_CASE("what processes have printed is not lost when one of them fails", "[launch]") {
  const int processes = GENERATE(1, 3);
  const Outcome outcome = LaunchedRun(peers(processes, "print_and_give_up")).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 5);
  for (int process = 0; process < processes; ++process)
    CHECK(has(outcome, "printed by " + std::to_string(process) + "\n"));
  const std::string of_who_fails = "printed by " + std::to_string(processes - 1) + "\n";
  CHECK(outcome.text.find(of_who_fails) < outcome.text.find("kaonrun: "));
}

TEST_CASE("what processes have printed is not lost when they are interrupted", "[launch]") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  SECTION("through kaonrun") {
    LaunchedRun run(peers(2, "print_and_hold"));
    run.wait_for("printed\n", 2);
    run.signal(signal);
    const Outcome outcome = run.finish(kSoon);
    INFO(outcome.text);
    CHECK(outcome.code == 128 + signal);
    CHECK((has(outcome, "printed by 0\n") && has(outcome, "printed by 1\n")));
  }
  SECTION("one of them") {
    LaunchedRun run(peers(2, "print_and_hold"));
    const auto pids = run.wait_until_ready(2);
    run.wait_for("printed\n", 2);
    kill(pids[1], signal);
    const Outcome outcome = run.finish(kSoon);
    INFO(outcome.text);
    CHECK(outcome.code == 128 + signal);
    CHECK(has(outcome, name(1, pids[1]) + " was killed by signal " + std::to_string(signal)));
    CHECK((has(outcome, "printed by 0\n") && has(outcome, "printed by 1\n")));
  }
  SECTION("a process alone") {
    LaunchedRun run = LaunchedRun::of_program({peer_program(), "print_and_hold"});
    run.wait_for("printed\n");
    run.signal(signal);
    check_end(run.finish(kSoon), 128 + signal, {"printed by 0\n"});
  }
}

TEST_CASE("a process alone that fails loses nothing of what it has printed", "[launch]") {
  const Outcome outcome = LaunchedRun::of_program({peer_program(), "print_and_give_up"}).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 5);
  CHECK(outcome.text == "printed by 0\nkaon: the disk is full\n");
}

TEST_CASE("a stream that is held for ever does not keep a failed run alive", "[launch]") {
  check_end(LaunchedRun(peers(2, "hold_output")).finish(kSoon), 5);
}

TEST_CASE("lines of several processes are whole", "[launch]") {
  const Outcome outcome = LaunchedRun(peers(3, "write_halves")).finish(kSoon);
  CHECK(outcome.code == 0);
  CHECK(outcome.text == "a whole line\na whole line\none half, the other half\n");
}

TEST_CASE("what a killed process has written is kept, also a line without an end", "[launch]") {
  LaunchedRun run(peers(2, "write_half_and_hold"));
  const auto pids = run.wait_until_ready(2);
  run.wait_for("printed\n", 2);
  kill(pids[1], SIGKILL);
  const Outcome outcome = run.finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 128 + SIGKILL);
  CHECK(has(outcome, "a line without an end of 1"));
  CHECK(outcome.text.find("a line without an end of 1") < outcome.text.find(name(1, pids[1]) + " was killed"));
}

TEST_CASE("each line says whose it is when that is asked for", "[launch]") {
  const int processes = GENERATE(1, 2);
  const Outcome outcome =
      LaunchedRun({"-n", std::to_string(processes), "--label", "sh", "-c", "echo one; echo two >&2; printf three"})
          .finish(kSoon);
  INFO(outcome.text);
  for (int process = 0; process < processes; ++process) {
    const std::string label = "[" + std::to_string(process) + "] ";
    // In their order, with lines of the other process between them or not.
    const std::size_t first = outcome.text.find(label + "one\n");
    REQUIRE(first != std::string::npos);
    const std::size_t second = outcome.text.find(label + "two\n", first);
    REQUIRE(second != std::string::npos);
    CHECK(outcome.text.find(label + "three", second) != std::string::npos);
  }
}

TEST_CASE("errors that do not go where the output goes come out, too", "[launch]") {
  const std::string script =
      program("kaonrun") + " -n 2 --label sh -c 'echo an output; printf \"an error\" >&2' | sed 's/^/output: /'";
  const Outcome outcome = LaunchedRun::of_program({"/bin/sh", "-c", script}).finish(kSoon);
  INFO(outcome.text);
  for (const char* line : {"output: [0] an output\n", "output: [1] an output\n", "[0] an error", "[1] an error"})
    CHECK(has(outcome, line));
  CHECK_FALSE(has(outcome, "output: [0] an error"));
}

TEST_CASE("output and errors that go to one place come in their order", "[launch]") {
  const std::string script =
      "if [ $KAON_PROCESS = 0 ]; then i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo out $i; echo err $i >&2; done; fi";
  std::string expected;
  for (int i = 1; i <= 200; ++i) expected += "out " + std::to_string(i) + "\nerr " + std::to_string(i) + "\n";
  CHECK(LaunchedRun({"-n", "2", "sh", "-c", script}).finish(kSoon).text == expected);
}

TEST_CASE("a last line without an end is kept though somebody still holds the output", "[launch]") {
  const std::string script = "(while read -r line; do :; done <&$KAON_BOOTSTRAP_FD) & printf 'a last line'";
  const Outcome outcome = LaunchedRun({"-n", "2", "bash", "-c", script}).finish(kSoon);
  CHECK(outcome.code == 0);
  CHECK(outcome.text == "a last line\na last line");
}

TEST_CASE("a last line without an end comes before what kaonrun says of its process", "[launch]") {
  const std::string script = "[ $KAON_PROCESS != 3 ] && exec sleep 60; printf 'the reason'; exit 9";
  const Outcome outcome = LaunchedRun({"-n", "4", "sh", "-c", script}).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 9);
  CHECK(outcome.text.starts_with("the reason\nkaonrun: process 3"));
}

TEST_CASE("what a process has left behind may write until the run is over", "[launch]") {
  const std::string left = "(while kill -0 $$ 2>&-; do :; done; echo late; : >$folder/$KAON_PROCESS) & exit 0";
  const std::string stays = "until [ -e $folder/2 ] && [ -e $folder/3 ]; do :; done";
  const std::string script = "export folder=$(mktemp -d); " + program("kaonrun") +
                             " -n 4 sh -c 'if [ $KAON_PROCESS -ge 2 ]; then " + left + "; fi; " + stays +
                             "'; rm -r $folder";
  CHECK(LaunchedRun::of_program({"/bin/bash", "-c", script}).finish(kSoon).text == "late\nlate\n");
}

TEST_CASE("of output that nobody takes only so much is held, and all when the run is being ended", "[launch]") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const Descriptor reader(ends[0]), writer(ends[1]);
  MergedOutput merged(writer.number(), 1, false);
  const Descriptor end_of_process = merged.open(0);
  fcntl(end_of_process.number(), F_SETFL, O_NONBLOCK);
  const std::string lines(4095, 'x');
  std::vector<pollfd> polled;
  const auto is_read = [&](bool takes_all) {
    polled.clear();
    merged.add_to(polled, takes_all);
    return polled.back().fd >= 0;
  };
  int written = 0;
  for (int rounds = 0; rounds < 1000 && is_read(false); ++rounds) {
    while (write(end_of_process.number(), (lines + "\n").data(), lines.size() + 1) > 0) ++written;
    poll(polled.data(), polled.size(), 0);
    merged.serve(polled, {});
  }
  CHECK(written > 256);  // 1 MiB
  CHECK(written < 512);
  CHECK_FALSE(is_read(false));
  CHECK(is_read(true));
}

TEST_CASE("errors whose reader is slow are waited for when all processes have ended", "[launch]") {
  const std::string script = program("kaonrun") + " -n 2 sh -c 'yes an error | head -n 40000 >&2' >/dev/null";
  LaunchedRun run = LaunchedRun::of_program({"/bin/sh", "-c", script});
  run.wait_until_half_full();
  const Outcome outcome = run.finish();
  CHECK(outcome.code == 0);
  CHECK(std::count(outcome.text.begin(), outcome.text.end(), '\n') == 2 * 40000);
}

TEST_CASE("a question at a terminal comes before its answer", "[launch]") {
  const std::string script = "if [ $KAON_PROCESS = 0 ]; then printf 'name? '; read name; echo \"hello $name\"; fi";
  LaunchedRun run({"-n", "2", "sh", "-c", script}, LaunchedRun::Input::kScreen);
  run.wait_for("name? ");
  run.type("you\n");
  CHECK(run.finish(kSoon).text == "name? hello you\n");
}

TEST_CASE("what runs at a terminal finds one", "[launch]") {
  const Outcome outcome =
      LaunchedRun({"-n", "2", "sh", "-c", "test -t 1 && test -t 2 && echo yes"}, LaunchedRun::Input::kScreen)
          .finish(kSoon);
  CHECK(outcome.text == "yes\nyes\n");
}

TEST_CASE("what runs at a terminal finds its size", "[launch]") {
  const std::string script = "stty rows 33 cols 77; " + program("kaonrun") + " -n 2 sh -c 'stty size <&1'";
  const Outcome outcome = LaunchedRun({"-n", "1", "sh", "-c", script}, LaunchedRun::Input::kScreen).finish(kSoon);
  CHECK(outcome.text == "33 77\n33 77\n");
}

TEST_CASE("a run that is interrupted while its reader is slow loses no line", "[launch]") {
  LaunchedRun run(peers(2, "write_for_ever"));
  run.wait_until_half_full();
  run.signal(SIGTERM);
  const Outcome outcome = run.finish();
  CHECK(outcome.code == 128 + SIGTERM);
  const std::string line = "a whole line\n";
  const std::size_t words = outcome.text.find("kaonrun: ");
  REQUIRE(words != std::string::npos);
  bool are_whole = words % line.size() == 0;
  for (std::size_t at = 0; at < words && are_whole; at += line.size())
    are_whole = outcome.text.compare(at, line.size(), line) == 0;
  CHECK(are_whole);
}

TEST_CASE("who interrupts kaonrun while it waits for its reader does not want the rest", "[launch]") {
  const std::string script = "exec 3< <(exec " + program("kaonrun") +
                             " -n 2 sh -c 'yes | head -n 100000'); run=$!; read -r line <&3; "
                             "while read -r children </proc/$run/task/$run/children; [ -n \"$children\" ]; do :; done; "
                             "kill -TERM $run; wait $run; echo $?";
  const Outcome outcome = LaunchedRun::of_program({"/bin/bash", "-c", script}).finish(kSoon);
  CHECK(outcome.text.ends_with("\n143\n"));
}

TEST_CASE("a run whose reader has gone ends as a program would", "[launch]") {
  const std::string script = program("kaonrun") + " -n 2 " + peer_program() + " write_for_ever 2>/dev/null | head -n 1";
  const Outcome outcome =
      LaunchedRun::of_program({"/bin/bash", "-c", script + "; exit ${PIPESTATUS[0]}"}).finish(kSoon);
  CHECK(outcome.text == "a whole line\n");
  CHECK(outcome.code == 128 + SIGPIPE);
}

TEST_CASE("a run whose errors nobody reads goes on to its end", "[launch]") {
  const std::string script = "exec 4> >(:); wait $!; " + program("kaonrun");
  const std::string run = " -n 2 sh -c 'echo an error >&2; exit 7' 2>&4";
  CHECK(LaunchedRun::of_program({"/bin/bash", "-c", script + run}).finish(kSoon).code == 7);
}

TEST_CASE("a user's signal to kaonrun reaches all its processes, and ends none that does not know it", "[launch]") {
  SECTION("they answer") {
    LaunchedRun run(peers(3, "answer_user_signal"));
    run.wait_until_ready(3);
    run.signal(SIGUSR1);
    run.wait_for("answered\n", 3);
    run.signal(SIGTERM);
    CHECK(run.finish(kSoon).code == 128 + SIGTERM);
  }
  SECTION("they do not know it") {
    LaunchedRun run(peers(2, "hold"));
    run.wait_until_ready(2);
    run.signal(SIGUSR1);
    run.signal(SIGTERM);
    CHECK(run.finish(kSoon).code == 128 + SIGTERM);
  }
}

}  // namespace kaon::testing::peers
