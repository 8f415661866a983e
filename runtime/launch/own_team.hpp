// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/base/memory_groups.hpp"
#include "kaon/runtime/launch/child_process.hpp"
#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/outputs.hpp"
#include "kaon/runtime/launch/team.hpp"

namespace kaon::launch {

// Which processes of a run a team has, and how they are started.
struct TeamPlan {
  const std::vector<std::string>& command;  // program and its arguments; stays the caller's
  rlimit descriptors{};                     // how many each may open
  int processes = 1;                        // of the whole run
  int first = 0;                            // of this team
  int count = 1;
};

// Processes started by this one, by one fork each.
class OwnTeam final : public Team {
 public:
  // `outputs` and `events` stay the caller's.
  OwnTeam(const TeamPlan& plan, Outputs& outputs, TeamEvents& events);

  void start() override;
  void add_to(std::vector<pollfd>& polled) override;
  void serve(const std::vector<pollfd>& polled) override;
  void look_for_ends(bool only_killed) override;
  void send(int process, const Frame& frame) override;
  void kill(int process, int signal) override;
  void release(int process, bool with_what_it_started) override;
  void end_run() override {}
  [[nodiscard]] bool is_over() const override { return living_ == 0; }
  void give_up() override;

 private:
  struct Child {
    ChildProcess process;
    Connection connection;
    bool has_ended = false;  // which was told
  };

  void start(int process);
  void check_program(int process);
  void read(int process);
  void end(int process, ExitStatus status);
  [[nodiscard]] int last() const { return plan_.first + plan_.count; }
  Child& child(int process) { return children_[static_cast<std::size_t>(process - plan_.first)]; }

  TeamPlan plan_;
  Outputs& outputs_;
  TeamEvents& events_;
  MemoryGroups memory_;
  std::uint64_t memory_kills_ = memory_.kills();  // before this run
  std::vector<Child> children_;                   // those that were started, in the order of their numbers
  int living_;
  std::size_t first_polled_ = 0;  // in the vector of add_to(): for each child its socket and its way to its program
};

}  // namespace kaon::launch
