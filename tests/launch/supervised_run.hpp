// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/launch/supervisor.hpp"

// A supervisor whose processes, clock and effects are a test's.
namespace kaon::testing::supervised {

using std::chrono::milliseconds;

class Record final : public Effects {
 public:
  void send(int process, const Frame& frame) override { sent.emplace_back(process, frame); }
  void kill(int process, int signal) override { killed.emplace_back(process, signal); }
  void pass(pid_t pid, int signal) override { passed.emplace_back(pid, signal); }
  [[nodiscard]] bool is_traced(pid_t pid) const override { return pid == traced; }
  [[nodiscard]] bool is_stopped(pid_t pid) const override { return pid == stopped; }
  void say(std::string_view text) override { said += std::string(text) + "\n"; }
  void pause() override { killed_before_pause = killed.size(); }

  [[nodiscard]] long count(FrameKind kind) const {
    return std::count_if(sent.begin(), sent.end(), [kind](const auto& each) { return each.second.kind == kind; });
  }
  [[nodiscard]] bool has_said(const std::string& text) const { return said.find(text) != std::string::npos; }

  std::vector<std::pair<int, Frame>> sent;
  std::vector<std::pair<int, int>> killed;
  std::size_t killed_before_pause = 0;
  std::vector<std::pair<pid_t, int>> passed;
  pid_t traced = -1;
  pid_t stopped = -1;
  std::string said;
};

inline constexpr Secret kSecret{std::byte{1}, std::byte{2}, std::byte{3}};

// Three processes with pids 100, 101, 102, and a clock that the test moves.
class Run {
 public:
  explicit Run(Limits limits = {}) : supervisor(3, limits, {{}, kSecret, {"/dev/shm/kaon-run-1", 4096}}, record, now) {
    for (int process = 0; process < 3; ++process) supervisor.on_started(process, 100 + process);
  }
  void tell(int process, FrameKind kind) { supervisor.on_frame(process, {kind, {}}); }
  void put(int process, std::uint64_t hash = 1) { supervisor.on_frame(process, put_frame(hash, {})); }
  void put_all() {
    for (int process = 0; process < 3; ++process) put(process);
  }
  void leave_together() {
    put_all();
    for (int process = 0; process < 3; ++process) tell(process, FrameKind::kArrive);
  }
  void exit_with(int process, int code) { supervisor.on_exit(process, {code, 0}); }
  // Rounds of half a second in which these processes send heartbeats.
  void pass(milliseconds time, const std::vector<int>& living) {
    for (milliseconds passed{0}; passed < time; passed += milliseconds(500)) {
      now += milliseconds(500);
      supervisor.begin_round(now);
      for (const int process : living) tell(process, FrameKind::kHeartbeat);
      supervisor.end_round();
    }
  }

  Supervisor::Time now{};
  Record record;
  Supervisor supervisor;
};

}  // namespace kaon::testing::supervised
