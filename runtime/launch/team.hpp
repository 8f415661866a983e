// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <string_view>
#include <vector>

#include "kaon/runtime/launch/exit_status.hpp"
#include "kaon/runtime/launch/frame.hpp"

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
  // With all of its processes that had not ended, of which that is told next.
  virtual void on_team_lost(std::string_view how) = 0;
};

// Some of the processes of a run, which are started and watched together: by kaonrun itself (`OwnTeam`), or by a proxy
// (`ProxyTeam`). It tells its TeamEvents, from the calls below only.
class Team {
 public:
  virtual ~Team() = default;

  // Throws UsageError when it cannot; so does serve(), later, when their program cannot be run.
  virtual void start() = 0;
  // Appends what to wait for.
  virtual void add_to(std::vector<pollfd>& polled) = 0;
  // With the same vector, filled by poll().
  virtual void serve(const std::vector<pollfd>& polled) = 0;
  // After a SIGCHLD: tells of those that have ended, or only of those that a signal has ended.
  virtual void look_for_ends(bool only_killed) = 0;

  virtual void send(int process, const Frame& frame) = 0;
  virtual void kill(int process, int signal) = 0;  // it and what it has started
  // Of one that has ended. `with_what_it_started`: that ends, too.
  virtual void release(int process, bool with_what_it_started) = 0;

  // All processes of the run, of other teams too, have been released.
  virtual void end_run() = 0;
  // All have been released, and what was needed for them is gone.
  [[nodiscard]] virtual bool is_over() const = 0;
  // Ends all at once and without a word, when the run could not be started.
  virtual void give_up() = 0;
};

}  // namespace kaon::launch
