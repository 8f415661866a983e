// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::testing {

struct Outcome {
  std::string text;  // all that any process of the run has written
  int code = 0;      // of kaonrun
  std::chrono::milliseconds time{};
};

// A run of kaonrun whose words the test reads. Standard output and error of all its processes are one pipe, so its end
// says that nothing of the run is left.
class LaunchedRun {
 public:
  enum class Input { kPipe, kTerminal };  // a terminal is also the controlling one

  explicit LaunchedRun(const std::vector<std::string>& arguments, Input input = Input::kPipe);
  LaunchedRun(const LaunchedRun&) = delete;
  LaunchedRun& operator=(const LaunchedRun&) = delete;
  ~LaunchedRun();

  // Until `processes` have written "ready P pid N": their pids.
  std::vector<pid_t> wait_until_ready(int processes);
  void signal(int signal) const;
  void type(std::string_view text) const;  // on its standard input
  // Until all are gone. Fails the test when that takes longer than `limit`.
  Outcome finish(std::chrono::milliseconds limit = std::chrono::seconds(30));

 private:
  bool read_some(std::chrono::steady_clock::time_point until);

  pid_t pid_ = -1;
  Descriptor input_;
  Descriptor output_;
  std::string text_;
};

// The test program in the build folder that plays a process of a run.
std::string peer_program();

}  // namespace kaon::testing
