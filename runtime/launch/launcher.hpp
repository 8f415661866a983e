// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <sys/resource.h>

#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/outputs.hpp"
#include "kaon/runtime/launch/poll_set.hpp"
#include "kaon/runtime/launch/run_folder.hpp"
#include "kaon/runtime/launch/signal_reader.hpp"
#include "kaon/runtime/launch/supervisor.hpp"
#include "kaon/runtime/launch/team.hpp"

namespace kaon::launch {

struct RunPlan {
  int processes = 1;
  std::vector<std::string> command;  // program and its arguments
  bool has_labels = false;           // each line of output says whose it is
};

// Starts the processes of a run, and lends ears and hands to their supervisor until all have
// ended. One thread, which must be the only one of its program: a process dies with the thread that started it, and
// signals come by descriptor.
class Launcher final : private Effects, private TeamEvents {
 public:
  Launcher(RunPlan plan, Limits limits);

  // Returns how the run has ended, by the user's signal or with a code, when nothing of it runs any more. Throws
  // UsageError when it cannot be started.
  ExitStatus run();

 private:
  void send(int process, const Frame& frame) override;
  void kill(int process, int signal) override;
  void pass(pid_t pid, int signal) override;
  [[nodiscard]] bool is_traced(pid_t pid) const override;
  [[nodiscard]] bool is_stopped(pid_t pid) const override;
  void say(std::string_view text) override;
  void pause() override;

  void on_started(int process, pid_t pid) override;
  void on_frame(int process, const Frame& frame) override;
  void on_corrupt(int process, std::string_view what) override;
  void on_closed(int process) override;
  void on_exit(int process, ExitStatus status) override;

  void run_team();
  void wait_for_events();
  bool read_signals();
  void obey(int signal);
  void serve_outputs();
  void write_out();

  RunPlan plan_;
  SignalReader signals_;
  rlimit descriptors_;  // as it was before we took what we need: the processes' own
  RunFolder folder_;
  Outputs outputs_;
  Supervisor supervisor_;
  Team team_;
  bool is_interrupted_ = false;
  std::vector<pollfd> polled_;
  PollSet poll_set_;
};

}  // namespace kaon::launch
