// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together, and of programs PEs
// Ends of channels that are closed, deleted or used wrongly while others wait.
#include <signal.h>

#include <stdexcept>
#include <tuple>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/talker.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing {
namespace {

const std::array kShapes{Network::Shape{1, 1}, Network::Shape{1, 2}, Network::Shape{2, 1}};

template <class MainTask>
void run_in_each_shape(MainTask main_task) {
  std::uint64_t seed = 0;
  for (const Network::Shape& shape : kShapes) {
    DeviceSceneSettings settings;
    settings.shape = shape;
    settings.seed = ++seed;
    CAPTURE(shape.processes, shape.pes_per_process);
    DeviceScene scene(settings);
    scene.run(main_task);
  }
}

Task<Proxy<Talker>> connected(Runtime& runtime, std::array<TalkWay, 2> ways) {
  const auto talkers = co_await runtime.create<Talker>(2, ways);
  (void)co_await talkers.call_all<&Talker::connect>(sum);
  co_return talkers;
}

Task<> wait_for_a_deleted_one(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::task});
  // Both say rounds 1 to 3; the one hears all of them, though the other one's end is deleted then.
  co_await all(talkers[0].call<&Talker::talk>(3U), talkers[1].call<&Talker::talk>(3U));
  co_await talkers[1].call<&Talker::drop>();
  const std::string text = co_await talkers[0].call<&Talker::talk_in_vain>(6U);
  CHECK(has(text, "round 4 of a channel never comes: the partner, of PE "));
  CHECK(has(text, "has deleted its end after its round 3"));
}

Task<> be_deleted_while_a_task_waits(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::task});
  const auto said = co_await all(talkers[0].call<&Talker::talk_in_vain>(6U), talkers[1].call<&Talker::drop_it>());
  CHECK(has(std::get<0>(said), "has deleted its end after its round 0"));
}

Task<> be_closed_while_a_task_waits(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::task});
  talkers[1].send<&Talker::close>();
  const std::string said = co_await talkers[0].call<&Talker::talk_in_vain>(6U);
  CHECK(has(said, "has closed its end after its round 0"));
}

/// What is raised then is awaited by the close all the same.
Task<> speak_when_the_other_has_closed(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::task});
  talkers[1].send<&Talker::close>();
  co_await runtime.sleep_for(std::chrono::minutes(1));  // its word has come
  (void)co_await talkers[0].call<&Talker::talk>(1U);
  co_await talkers[0].call<&Talker::close>();
  co_await runtime.sleep_for(std::chrono::minutes(1));
  CHECK_AWAITED(talkers[1].call<&Talker::has_closed>(), true);
}

Task<> be_deleted_while_a_stream_waits(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::stream, TalkWay::task});
  talkers[0].send<&Talker::talk_to>(4U);
  co_await talkers[0].call<&Talker::say_nothing>();  // it has given its stream the waits
  co_await talkers[1].call<&Talker::drop>();
  co_await runtime.sleep_for(std::chrono::minutes(5));
}

Task<> close_wrongly(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::task});
  const std::string twice = co_await talkers[0].call<&Talker::close_twice>(talkers[1]);
  CHECK(has(twice, "is closed already"));
  const auto others = co_await connected(runtime, {TalkWay::task, TalkWay::task});
  const auto said = co_await all(others[0].call<&Talker::close_in_vain>(), others[1].call<&Talker::drop_it>());
  CHECK(has(std::get<0>(said), "deleted its end without closing it"));
}

Task<Proxy<Talker>> connected_by_one(Runtime& runtime) {
  const auto talkers = co_await runtime.create<Talker>(2, std::array{TalkWay::task, TalkWay::task});
  (void)co_await talkers.call_all<&Talker::offer_only>(sum);
  CHECK_AWAITED(talkers[1].call<&Talker::connect_late>(), "");
  co_return talkers;
}

Task<> connect_when_the_other_has_dropped(Runtime& runtime) {
  const auto talkers = co_await connected_by_one(runtime);
  co_await talkers[1].call<&Talker::drop>();
  co_await runtime.sleep_for(std::chrono::minutes(1));  // its word has come
  const std::string said = co_await talkers[0].call<&Talker::connect_late>();
  CHECK(has(said, "was deleted before this end was connected"));
}

/// It reads what was said, and closes.
Task<> connect_when_the_other_has_closed(Runtime& runtime) {
  const auto talkers = co_await connected_by_one(runtime);
  (void)co_await talkers[1].call<&Talker::talk>(1U);
  talkers[1].send<&Talker::close>();
  co_await runtime.sleep_for(std::chrono::minutes(1));
  CHECK_AWAITED(talkers[0].call<&Talker::connect_late>(), "");
  co_await talkers[0].call<&Talker::hear>(1U);
  co_await talkers[0].call<&Talker::close>();
  co_await runtime.sleep_for(std::chrono::minutes(1));
  CHECK_AWAITED(talkers[1].call<&Talker::has_closed>(), true);
}

Task<> drop_after_the_last_round(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::entry});
  co_await all(talkers[0].call<&Talker::hear>(3U), talkers[1].call<&Talker::talk_and_drop>(3U));
}

Task<> close_after_the_last_round(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::task, TalkWay::entry});
  co_await all(talkers[0].call<&Talker::hear_and_close>(3U), talkers[1].call<&Talker::talk_and_close>(3U));
}

/// Whose flags others have by then.
Task<> talk_beside_closed_ends(Runtime& runtime) {
  const auto before = co_await connected(runtime, {TalkWay::task, TalkWay::entry});
  co_await all(before[0].call<&Talker::hear_and_close>(3U), before[1].call<&Talker::talk_and_close>(3U));
  const bool is_right = co_await talk_as(runtime, {TalkWay::task, TalkWay::entry});
  CHECK(is_right);
}

Task<> wait_wrongly(Runtime& runtime) {
  const auto talkers = co_await connected(runtime, {TalkWay::entry, TalkWay::task});
  const std::string said = co_await talkers[0].call<&Talker::wait_as_a_task>();
  CHECK(has(said, "DrivenBy::host"));
}

const std::string kLauncher = program("kaonrun");
const std::string kChannel = test_program("device_channel_program");

void check_talk(std::vector<std::string> command) {
  const std::string pes = command.back() == "1" ? "2" : "1";
  command.insert(command.end(), {kChannel, "talk", "--device", "host", "--pes", pes});
  const ProgramRun run = run_program(command);
  CAPTURE(command, run.text);
  CHECK(run.code == 0);
}

}  // namespace

TEST_CASE("who waits for a round of an end that was deleted hears which one never comes",
          "[device][channel][bad input]") {
  run_in_each_shape(wait_for_a_deleted_one);
  run_in_each_shape(be_deleted_while_a_task_waits);
  run_in_each_shape(be_closed_while_a_task_waits);
}

TEST_CASE("an end that is deleted while a stream waits for it ends the run, and the stream goes on",
          "[device][channel][bad input]") {
  std::uint64_t seed = 0;
  for (const Network::Shape& shape : kShapes) {
    DeviceSceneSettings settings;
    settings.shape = shape;
    settings.seed = ++seed;
    CAPTURE(shape.processes, shape.pes_per_process);
    DeviceScene scene(settings);
    const std::string text = thrown<std::runtime_error>([&] { scene.run(be_deleted_while_a_stream_waits); });
    CHECK(has(text, "round 3 of a channel never comes"));
    CHECK(has(text, "has deleted its end after its round 0"));
  }
}

TEST_CASE("an end is connected although its partner has spoken and closed, and not when that was deleted",
          "[device][channel][bad input]") {
  run_in_each_shape(connect_when_the_other_has_closed);
  run_in_each_shape(connect_when_the_other_has_dropped);
}

TEST_CASE("an end of a channel is closed once, and with its partner", "[device][channel][bad input]") {
  run_in_each_shape(close_wrongly);
}

TEST_CASE("an end that is closed and whose partner never is, is a deadlock", "[device][channel][bad input][outside]") {
  for (const std::vector<std::string>& start : {std::vector<std::string>{}, {kLauncher, "-n", "2"}}) {
    std::vector<std::string> command = start;
    const std::string pes = start.empty() ? "2" : "1";
    command.insert(command.end(), {kChannel, "close-alone", "--device", "host", "--pes", pes, "--deadlock-s", "0.3"});
    const ProgramRun run = run_program(command);
    CAPTURE(command, run.text);
    CHECK(run.code == 5);
    CHECK(has(run.text, "for the other end of a channel with PE 1 to be closed"));
  }
}

TEST_CASE("the last round that an entry has raised for a partner out of reach comes before the end of its end",
          "[device][channel]") {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = {2, 1};
    settings.stages_all = true;
    settings.seed = seed;
    CAPTURE(seed);
    DeviceScene scene(settings);
    scene.run(seed % 2 == 0 ? drop_after_the_last_round : close_after_the_last_round);
  }
}

TEST_CASE("ends that are closed and kept leave their flags to others", "[device][channel]") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = {2, 1};
    settings.stages_all = true;
    settings.seed = seed;
    CAPTURE(seed);
    DeviceScene scene(settings);
    scene.run(talk_beside_closed_ends);
  }
}

TEST_CASE("a round that is raised when the partner has closed its end does not keep it from closing",
          "[device][channel]") {
  run_in_each_shape(speak_when_the_other_has_closed);
}

TEST_CASE("tasks wait at ends that the host drives", "[device][channel][bad input]") {
  run_in_each_shape(wait_wrongly);
}

TEST_CASE("channels are heard in any pairing between processes, threads and devices", "[device][channel]") {
  check_talk({kLauncher, "-n", "2"});
  {
    const Variable devices("KAON_HOST_DEVICE", "devices=2,delay_us=50");
    check_talk({kLauncher, "-n", "1"});
  }
  const Variable stepped("KAON_HOST_DEVICE", "seed=3");
  check_talk({kLauncher, "-n", "2"});
}

TEST_CASE("a process that is killed while another waits for its round is named, and the other one ends",
          "[device][channel][bad input]") {
  for (const char* way : {"task", "stream", "entry"}) {
    LaunchedRun run({"-n", "2", kChannel, "wait", way, "--device", "host", "--pes", "1"});
    const std::vector<pid_t> pids = run.wait_until_ready(2);
    kill(pids[1], SIGKILL);
    const Outcome outcome = run.finish();
    CAPTURE(way, outcome.text);
    const bool is_told = has(outcome.text, "process 1") && has(outcome.text, "signal 9");
    CHECK((is_told || has(outcome.text, "PE 1 failed")));
    CHECK(outcome.code == (is_told ? 137 : 3));
  }
}

}  // namespace kaon::testing
