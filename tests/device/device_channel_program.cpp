// SPDX-License-Identifier: Apache-2.0
// Two chares with a channel. `talk`: in each pairing of tasks, streams and entries; the exit code says whether all was
// heard. `wait WAY`: one waits for a round of the other, which never comes, until a test kills a process; says "ready
// PROCESS pid PID" before. `close-alone`: one closes its end, and the other never does.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/talker.hpp"

namespace {

using kaon::testing::kTalkWays;
using kaon::testing::Talker;
using kaon::testing::TalkWay;

kaon::Task<int> talk(kaon::Runtime& runtime) {
  int wrong = 0;
  for (const TalkWay one : kTalkWays)
    for (const TalkWay other : kTalkWays)
      if (!co_await kaon::testing::talk_as(runtime, {one, other})) ++wrong;
  std::printf("%d pairings are wrong\n", wrong);
  co_return wrong;
}

kaon::Task<int> close_alone(kaon::Runtime& runtime) {
  const auto talkers = co_await runtime.create<Talker>(2, std::array{TalkWay::task, TalkWay::task});
  (void)co_await talkers.call_all<&Talker::connect>(kaon::sum);
  co_await talkers[0].call<&Talker::close_only>();
  co_return 0;
}

TalkWay way_of(const std::string& name) {
  if (name == "task") return TalkWay::task;
  return name == "stream" ? TalkWay::stream : TalkWay::entry;
}

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  if (arguments.at(0) == "talk") co_return co_await talk(runtime);
  if (arguments.at(0) == "close-alone") co_return co_await close_alone(runtime);
  const TalkWay way = way_of(arguments.at(1));
  const auto talkers = co_await runtime.create<Talker>(2, std::array{way, way});
  (void)co_await talkers.call_all<&Talker::connect>(kaon::sum);
  (void)co_await talkers.call_all<&Talker::say_ready>(kaon::sum);
  talkers[0].send<&Talker::talk_to>(5);  // the other one says nothing
  co_await runtime.sleep_for(std::chrono::minutes(5));
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, run, kaon::with_devices); }
