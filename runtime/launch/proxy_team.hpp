// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/outputs.hpp"
#include "kaon/runtime/launch/own_team.hpp"
#include "kaon/runtime/launch/team.hpp"

namespace kaon::launch {

// Processes of a run that a `LauncherProxy` has started: kaonrun's end of it. Should the proxy be lost, its processes
// are, and the run ends.
class ProxyTeam final : public Team {
 public:
  // `number` is that of the proxy among all, whose output is stream `number` of `outputs`. `outputs` and `events` stay
  // the caller's.
  ProxyTeam(const TeamPlan& plan, bool has_labels, int number, Outputs& outputs, TeamEvents& events);
  ProxyTeam(const ProxyTeam&) = delete;
  ProxyTeam& operator=(const ProxyTeam&) = delete;
  ~ProxyTeam() override { give_up(); }

  void start() override;
  void add_to(std::vector<pollfd>& polled) override;
  void serve(const std::vector<pollfd>& polled) override;
  void look_for_ends(bool only_killed) override;
  void send(int process, const Frame& frame) override;
  void kill(int process, int signal) override;
  void release(int process, bool with_what_it_started) override;
  void end_run() override;
  [[nodiscard]] bool is_over() const override { return is_reaped_; }
  void give_up() override;

 private:
  [[noreturn]] void become_proxy(const ChildOutputs& outputs, Descriptor socket) const;
  void read();
  void handle(const Frame& frame);
  void lose(const std::string& how);
  void hear_of_starts();
  void kill_what_is_left();
  [[nodiscard]] bool has_left() const;
  std::vector<bool>::reference has_ended(int process) {
    return has_ended_[static_cast<std::size_t>(process - plan_.first)];
  }

  TeamPlan plan_;
  bool has_labels_;
  int number_;
  Outputs& outputs_;
  TeamEvents& events_;
  pid_t pid_ = -1;
  bool is_reaped_ = false;
  std::optional<Connection> proxy_;
  std::vector<bool> has_ended_;  // by process of the team
  std::vector<pid_t> pids_;      // of those that have been started
  bool is_run_over_ = false;
  std::optional<std::chrono::steady_clock::time_point> told_to_kill_;  // first
  std::size_t first_polled_ = 0;
};

}  // namespace kaon::launch
