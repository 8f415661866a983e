// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/outputs.hpp"
#include "kaon/runtime/launch/own_team.hpp"
#include "kaon/runtime/launch/poll_set.hpp"
#include "kaon/runtime/launch/signal_reader.hpp"
#include "kaon/runtime/launch/team.hpp"

namespace kaon::launch {

// A process of kaonrun's own that starts some processes of a run in its place, watches them, and merges what they write
// into its standard streams. It decides nothing: what happens goes up to kaonrun, and what is to be done comes down.
// It heeds no signal, and dies with kaonrun, as its processes die with it.
class LauncherProxy final : private TeamEvents {
 public:
  // `kaonrun` is our end of the socket pair.
  LauncherProxy(const TeamPlan& plan, bool has_labels, Descriptor kaonrun);

  // Returns when all processes have been released and all that they have written is out, or kaonrun is gone.
  void run();

 private:
  void on_started(int process, pid_t pid) override;
  void on_frame(int process, const Frame& frame) override;
  void on_corrupt(int process, std::string_view what) override;
  void on_closed(int process) override;
  void on_exit(int process, ExitStatus status) override;
  void on_team_lost(std::string_view) override {}  // an own one is not lost without us

  void serve_until_over();
  void wait_for_events();
  bool has_child_ended();
  void obey_all();
  void obey(const Frame& frame);
  void write_out();

  int processes_;
  Connection kaonrun_;
  SignalReader signals_;
  Outputs outputs_;
  OwnTeam team_;
  bool is_run_over_ = false;  // until then what processes have left behind may write
  std::vector<pollfd> polled_;
  PollSet poll_set_;
};

}  // namespace kaon::launch
