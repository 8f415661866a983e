// SPDX-License-Identifier: Apache-2.0
// Runs whose processes are too many for one process of kaonrun. All other cases are run so, too: see CMakeLists.txt
// here.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/proxy_body.hpp"
#include "tests/launch/peers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::peers {
namespace {

std::vector<std::string> by_proxies(int processes, int fan_out, const std::string& script) {
  return {"-n", std::to_string(processes), "--fan-out", std::to_string(fan_out), "sh", "-c", script};
}

// The processes that have started those of `pids`, each once.
std::vector<pid_t> parents_of(const std::vector<pid_t>& pids) {
  std::vector<pid_t> parents;
  for (const pid_t pid : pids) parents.push_back(parent_of(pid));
  std::sort(parents.begin(), parents.end());
  parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  return parents;
}

std::size_t descriptors_of(pid_t pid) {
  const std::filesystem::directory_iterator open("/proc/" + std::to_string(pid) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(open), end(open)));
}

}  // namespace

TEST_CASE("no process of kaonrun has more than it is to have", "[launch]") {
  LaunchedRun run(peers(7, "hold", {"--fan-out", "3"}));
  const auto pids = run.wait_until_ready(7);
  const auto proxies = parents_of(pids);
  CHECK(proxies.size() == 3);
  for (const pid_t proxy : proxies)
    CHECK(std::count_if(pids.begin(), pids.end(), [proxy](pid_t pid) { return parent_of(pid) == proxy; }) <= 3);
  CHECK(parents_of(proxies).size() == 1);
  run.signal(SIGTERM);
  CHECK(run.finish(kSoon).code == 128 + SIGTERM);
}

TEST_CASE("few processes are kaonrun's own, and 65 are not", "[launch]") {
  const int processes = GENERATE(64, 65);
  CAPTURE(processes);
  std::vector<std::string> command{"/usr/bin/env", "-u", "KAON_FAN_OUT", program("kaonrun")};
  for (const std::string& argument : peers(processes, "hold")) command.push_back(argument);
  LaunchedRun run = LaunchedRun::of_program(command);
  const auto proxies = parents_of(run.wait_until_ready(processes));
  CHECK(proxies.size() == (processes == 64 ? 1 : 2));
  run.signal(SIGTERM);
  run.finish();
}

TEST_CASE("a lost proxy is named, its processes die with it, and the run ends", "[launch]") {
  LaunchedRun run(peers(4, "hold", {"--fan-out", "2"}));
  const auto pids = run.wait_until_ready(4);
  const pid_t proxy = parent_of(pids[2]);
  kill(proxy, SIGKILL);
  const Outcome outcome = run.finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == kExitLostPeer);
  CHECK(outcome.text.find("kaonrun: kaonrun's proxy (pid " + std::to_string(proxy) +
                          ") for processes 2 to 3 was killed by signal 9 (Killed); ending all processes") !=
        std::string::npos);
}

TEST_CASE("what the processes of a lost proxy have started dies, too", "[launch]") {
  LaunchedRun run(by_proxies(4, 2, "sleep 60 & echo \"ready $KAON_PROCESS pid $$\"; wait"));
  const auto pids = run.wait_until_ready(4);
  kill(parent_of(pids[3]), SIGKILL);
  CHECK(run.finish(kSoon).code == kExitLostPeer);
}

TEST_CASE("a stopped proxy does not keep a run that is to end", "[launch]") {
  LaunchedRun run(peers(4, "hold", {"--fan-out", "2"}));
  kill(parent_of(run.wait_until_ready(4)[3]), SIGSTOP);
  run.signal(SIGTERM);
  CHECK(run.finish(std::chrono::seconds(10)).code == 128 + SIGTERM);
}

TEST_CASE("signals to all of kaonrun's group reach kaonrun alone", "[launch]") {
  LaunchedRun run(peers(4, "hold", {"--fan-out", "2"}));
  const pid_t proxy = parent_of(run.wait_until_ready(4)[0]);
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  kill(proxy, signal);
  kill(proxy, signal);
  run.signal(signal);
  const Outcome outcome = run.finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 128 + signal);
  CHECK_FALSE(has(outcome, "proxy"));
}

TEST_CASE("labels of a process started by a proxy are its own", "[launch]") {
  const std::string script = "echo $KAON_PROCESS of $KAON_PROCESSES";
  std::vector<std::string> arguments = by_proxies(5, 2, script);
  arguments.insert(arguments.begin(), "--label");
  const std::string text = LaunchedRun(arguments).finish(kSoon).text;
  std::size_t bytes = 0;
  for (int process = 0; process < 5; ++process) {
    const std::string number = std::to_string(process);
    const std::string line = "[" + number + "] " + number + " of 5\n";
    CHECK(text.find(line) != std::string::npos);
    bytes += line.size();
  }
  CHECK(text.size() == bytes);
}

TEST_CASE("all that many write comes out, in whole lines", "[launch]") {
  const std::string script = "i=0; while [ $i -lt 2000 ]; do echo $KAON_PROCESS line $i of it; i=$((i + 1)); done";
  const Outcome outcome = LaunchedRun(by_proxies(9, 2, script)).finish();
  CHECK(outcome.code == 0);
  std::vector<int> next(9);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = outcome.text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const auto process = static_cast<std::size_t>(outcome.text[begin] - '0');
    REQUIRE(process < next.size());
    REQUIRE(outcome.text.substr(begin, end - begin) ==
            std::to_string(process) + " line " + std::to_string(next[process]++) + " of it");
  }
  CHECK(next == std::vector<int>(9, 2000));
}

TEST_CASE("what proxies still hold when all processes have ended comes out", "[launch]") {
  constexpr std::size_t kBytes = 800'000;  // for two as much as a proxy and its pipe hold while nobody reads
  LaunchedRun run(by_proxies(4, 2, "yes | head -c " + std::to_string(kBytes)));
  run.wait_until_half_full();
  const Outcome outcome = run.finish();
  CHECK(outcome.code == 0);
  CHECK(outcome.text.size() == 4 * kBytes);
}

TEST_CASE("what a process of a proxy has written comes before what kaonrun says of it", "[launch]") {
  const std::string script = "if [ $KAON_PROCESS != 1 ]; then exec sleep 60; fi; " + kStopParent + "echo a line; " +
                             kAbort + "kill -CONT $PPID; exec sleep 60";
  const Outcome outcome = LaunchedRun({"-n", "4", "--fan-out", "2", "bash", "-c", script}).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 5);
  CHECK(outcome.text.starts_with("a line\nkaonrun: "));
}

TEST_CASE("what a process of a proxy has written last comes before what is said of it, though kaonrun is slow",
          "[launch]") {
  const std::string script =
      "if [ $KAON_PROCESS != 1 ]; then exec sleep 60; fi; head=$(awk '/PPid/ {print $2}' /proc/$PPID/status); "
      "kill -STOP $head; until grep -q 'State:.T' /proc/$head/status; do :; done; "
      "head -c 300000 /dev/zero | tr '\\0' x; echo; " +
      kAbort + "kill -CONT $head; exec sleep 60";
  const Outcome outcome = LaunchedRun({"-n", "4", "--fan-out", "2", "bash", "-c", script}).finish(kSoon);
  CHECK(outcome.code == 5);
  CHECK(outcome.text.find("kaonrun: ") == 300'001);
}

TEST_CASE("a later proxy has no more descriptors than the first", "[launch]") {
  LaunchedRun run(peers(12, "hold", {"--fan-out", "2"}));
  const auto proxies = parents_of(run.wait_until_ready(12));
  REQUIRE(proxies.size() == 6);
  for (const pid_t proxy : proxies) CHECK(descriptors_of(proxy) == descriptors_of(proxies.front()));
  run.signal(SIGTERM);
  run.finish(kSoon);
}

TEST_CASE("what processes of proxies have started ends with a run that fails", "[launch]") {
  const std::string script = "sleep 60 & exec " + peer_program() + " give_up";
  CHECK(LaunchedRun(by_proxies(4, 2, script)).finish(kSoon).code == 5);
}

TEST_CASE("a run by proxies needs fewer descriptors in each", "[launch]") {
  const std::string limit = "ulimit -n 60; exec " + program("kaonrun") + " -n 40 ";
  const Outcome refused = LaunchedRun::of_program({"/bin/sh", "-c", limit + "--fan-out 40 true"}).finish(kSoon);
  CHECK(refused.code == kExitUsage);
  CHECK(has(refused, "file descriptors"));
  CHECK(LaunchedRun::of_program({"/bin/sh", "-c", limit + "--fan-out 8 true"}).finish(kSoon).code == 0);
}

TEST_CASE("what a proxy cannot start is told as by kaonrun", "[launch]") {
  const Outcome outcome = LaunchedRun({"-n", "4", "--fan-out", "2", "/no/such"}).finish(kSoon);
  CHECK(outcome.code == kExitUsage);
  CHECK(outcome.text ==
        "kaonrun: cannot run /no/such: No such file or directory; give the path of an executable file\n");
}

TEST_CASE("a fan-out of one, or of no number, is refused", "[launch]") {
  const std::string wrong = GENERATE("1", "0", "-3", "many");
  const Outcome outcome = LaunchedRun({"-n", "4", "--fan-out", wrong, "true"}).finish(kSoon);
  CHECK(outcome.code == kExitUsage);
  CHECK(has(outcome, "--fan-out"));
}

TEST_CASE("what kaonrun and a proxy tell each other comes out as it went in", "[launch]") {
  CHECK(parse_about(about(3, FrameKind::kClosed), 4).process == 3);
  const Frame started = started_frame(3, 4711);
  CHECK(parse_about(started, 4).process == 3);
  CHECK(parse_number(parse_about(started, 4)) == 4711);
  const Frame passed = passed_frame(FrameKind::kTell, 2, {FrameKind::kBlob, std::vector<std::byte>(3)});
  CHECK(passed.kind == FrameKind::kTell);
  CHECK(parse_passed(parse_about(passed, 4)).kind == FrameKind::kBlob);
  CHECK(parse_passed(parse_about(passed, 4)).body.size() == 3);
  const ExitStatus status{7, 9, true};
  const Frame exited = exited_frame(1, status);
  CHECK(parse_exited(parse_about(exited, 4)) == status);
  CHECK(parse_text(failed_frame("no memory").body) == "no memory");
  const Frame release = release_frame(0, true);
  CHECK(parse_number(parse_about(release, 4)) == 1);
}

TEST_CASE("what a proxy's frame cannot hold is refused", "[launch]") {
  CHECK_THROWS_AS(parse_about(about(4, FrameKind::kClosed), 4), CorruptMessage);
  const Frame empty{FrameKind::kSaid, {}};
  CHECK_THROWS_AS(parse_about(empty, 4), CorruptMessage);
  const Frame none = about(0, FrameKind::kSaid);
  CHECK_THROWS_AS(parse_passed(parse_about(none, 4)), CorruptMessage);
  CHECK_THROWS_AS(parse_number(parse_about(none, 4)), CorruptMessage);
  Frame half_a_kind = none;
  half_a_kind.body.push_back(std::byte{1});
  CHECK_THROWS_AS(parse_passed(parse_about(half_a_kind, 4)), CorruptMessage);
  const Frame shorter = signal_frame(0, 9);
  CHECK_THROWS_AS(parse_exited(parse_about(shorter, 4)), CorruptMessage);
  Frame longer = exited_frame(0, {});
  CHECK_THROWS_AS(parse_number(parse_about(longer, 4)), CorruptMessage);
  longer.body.push_back(std::byte{0});
  CHECK_THROWS_AS(parse_exited(parse_about(longer, 4)), CorruptMessage);
}

}  // namespace kaon::testing::peers
