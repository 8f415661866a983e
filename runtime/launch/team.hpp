// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/memory_groups.hpp"
#include "kaon/runtime/launch/child_process.hpp"
#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/exit_status.hpp"
#include "kaon/runtime/launch/frame.hpp"
#include "kaon/runtime/launch/outputs.hpp"

namespace kaon::launch {

// What happens to the processes of a run.
class TeamEvents {
 public:
  virtual ~TeamEvents() = default;
  virtual void on_started(int process, pid_t pid) = 0;  // from here on frames can be sent to it
  virtual void on_frame(int process, const Frame& frame) = 0;
  virtual void on_corrupt(int process, std::string_view what) = 0;
  virtual void on_closed(int process) = 0;  // its socket
  // What it has said and written was passed on before. It stays a zombie, by whose pid what it has started is found,
  // until Team::release().
  virtual void on_exit(int process, ExitStatus status) = 0;
};

struct TeamPlan {
  const std::vector<std::string>& command;  // program and its arguments; stays the caller's
  rlimit descriptors{};                     // how many each process may open
  int processes = 1;
};

// The processes of a run, each started by one fork and watched by its socket and its pipes. It tells its TeamEvents,
// from the calls below only.
class Team {
 public:
  // `outputs` and `events` stay the caller's.
  Team(const TeamPlan& plan, Outputs& outputs, TeamEvents& events);

  // Throws UsageError when it cannot; so does serve(), later, when their program cannot be run.
  void start();
  // Appends what to wait for.
  void add_to(std::vector<pollfd>& polled);
  // With the same vector, filled by poll().
  void serve(const std::vector<pollfd>& polled);
  // After a SIGCHLD: tells of those that have ended, or only of those that a signal has ended.
  void look_for_ends(bool only_killed);

  void send(int process, const Frame& frame);
  void kill(int process, int signal);  // it and what it has started
  // Of one that has ended. `with_what_it_started`: that ends, too.
  void release(int process, bool with_what_it_started);

  // Ends all at once and without a word, when the run could not be started.
  void give_up();

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
  Child& child(int process) { return children_[static_cast<std::size_t>(process)]; }

  TeamPlan plan_;
  Outputs& outputs_;
  TeamEvents& events_;
  MemoryGroups memory_;
  std::uint64_t memory_kills_ = memory_.kills();  // before this run
  std::vector<Child> children_;                   // those that were started, in the order of their numbers
  std::size_t first_polled_ = 0;  // in the vector of add_to(): for each child its socket and its way to its program
};

}  // namespace kaon::launch
