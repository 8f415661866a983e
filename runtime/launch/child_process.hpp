// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/launch/exit_status.hpp"

namespace kaon::launch {

// What a process writes its standard output and error into; where nothing is open it inherits ours.
struct ChildOutputs {
  Descriptor output;
  Descriptor errors;
  bool are_one = false;  // errors go into `output` too

  // They become this process' own.
  void take() const;
};

// What one process of a run is started with. Both stay the caller's.
struct ChildPlan {
  const std::vector<std::string>& command;  // program and its arguments
  const ChildOutputs& outputs;
  rlimit descriptors{};  // how many it may open
  int process = 0;
  int processes = 1;
};

// A process started by kaonrun: dies with it, and owns one end of a socket pair whose other end we hold.
class ChildProcess {
 public:
  // Throws UsageError when there can be no further process. It may not run its program yet: a file on a disk that does
  // not answer takes for ever.
  static ChildProcess start(const ChildPlan& plan);

  // Readable when it is known whether its program runs; -1: it is known.
  [[nodiscard]] int report() const noexcept { return report_.number(); }
  // Throws UsageError when `program` cannot be run; the process has then been reaped.
  void check_program(const std::string& program);

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  Descriptor take_socket() { return std::move(socket_); }

  // Sends a signal to it and to what it has started. Does nothing after reap().
  void kill(int signal) const;
  // How it has ended, if it has. It stays a zombie until reap(), so its pid keeps meaning it and its group.
  [[nodiscard]] std::optional<ExitStatus> ended() const;
  void reap();

 private:
  ChildProcess(pid_t pid, bool has_own_group, Descriptor socket, Descriptor report)
      : pid_(pid), has_own_group_(has_own_group), socket_(std::move(socket)), report_(std::move(report)) {}

  pid_t pid_;
  bool has_own_group_;
  bool is_reaped_ = false;
  Descriptor socket_;
  Descriptor report_;  // of the way to its program: ends when that runs, or says why it does not
};

}  // namespace kaon::launch
