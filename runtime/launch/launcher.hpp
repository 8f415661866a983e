// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/memory_groups.hpp"
#include "kaon/runtime/launch/child_process.hpp"
#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/outputs.hpp"
#include "kaon/runtime/launch/poll_set.hpp"
#include "kaon/runtime/launch/run_folder.hpp"
#include "kaon/runtime/launch/supervisor.hpp"

namespace kaon::launch {

struct RunPlan {
  int processes = 1;
  std::vector<std::string> command;  // program and its arguments
  bool has_labels = false;           // each line of output says whose it is
};

// Starts the processes of a run, and lends ears and hands to their supervisor until all have ended. One thread, which
// must be the only one of its program: a process dies with the thread that started it, and signals come by descriptor.
class Launcher final : private Effects {
 public:
  Launcher(RunPlan plan, Limits limits);

  // Returns the exit code of the run, when nothing of it runs any more. Throws UsageError when it cannot be started.
  int run();

 private:
  struct Child {
    ChildProcess process;
    Connection connection;
  };

  void send(int process, const Frame& frame) override;
  void kill(int process, int signal) override;
  void pass(pid_t pid, int signal) override;
  [[nodiscard]] bool is_traced(pid_t pid) const override;
  void say(std::string_view text) override;

  void start_all();
  void start(int process);
  void wait_for_programs();
  void wait_for_events();
  bool read_signals();
  void read_all();
  void read(int process);
  void reap_all(bool only_killed);
  void reap(int process, ExitStatus status);
  void serve_outputs();
  void write_out();

  RunPlan plan_;
  std::chrono::steady_clock::time_point start_limit_;
  Descriptor signals_;
  rlimit descriptors_;  // as it was before we took what we need: the processes' own
  RunFolder folder_;
  MemoryGroups memory_;
  std::uint64_t memory_kills_ = memory_.kills();  // before this run
  Outputs outputs_;
  std::vector<Child> children_;  // by process; empty again when a start failed
  Supervisor supervisor_;
  std::vector<pollfd> polled_;
  PollSet poll_set_;
};

}  // namespace kaon::launch
