// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::testing {

struct Outcome {
  std::string text;  // all that any process of the run has written
  int code = 0;      // of kaonrun; 128 + the signal that ended it
  int signal = 0;    // 0: it has ended by itself
  std::chrono::milliseconds time{};
};

// A run of kaonrun whose words the test reads. Standard output and error are one pipe or terminal. All its processes
// inherit the end of another pipe, so that its end says that nothing of the run is left.
class LaunchedRun {
 public:
  enum class Input {
    kPipe,
    kTerminal,  // also the controlling one
    kScreen,    // such a terminal, and the output goes there too
  };

  // Of kaonrun with these arguments.
  explicit LaunchedRun(const std::vector<std::string>& arguments, Input input = Input::kPipe);
  // Of any program, given by its path.
  static LaunchedRun of_program(const std::vector<std::string>& command) { return {command, Input::kPipe, Any{}}; }
  LaunchedRun(const LaunchedRun&) = delete;
  LaunchedRun& operator=(const LaunchedRun&) = delete;
  ~LaunchedRun();

  // Until `count` lines with this text have come.
  void wait_for(const std::string& text, int count = 1);
  // Until `processes` have written "ready P pid N": their pids.
  std::vector<pid_t> wait_until_ready(int processes);
  void wait_until_said(std::string_view text);
  void signal(int signal) const;
  void type(std::string_view text) const;  // on its standard input
  // Until so much has been written into the pipe to us, of which we read nothing here.
  void wait_until_half_full() const;
  // Until all are gone. Fails the test when that takes longer than `limit`.
  Outcome finish(std::chrono::milliseconds limit = std::chrono::seconds(30));

 private:
  struct Any {};
  LaunchedRun(const std::vector<std::string>& command, Input input, Any);
  bool read_some(std::chrono::steady_clock::time_point until);

  pid_t pid_ = -1;
  Descriptor input_;
  Descriptor output_;
  Descriptor life_;  // readable, at its end, when nothing of the run is left
  std::string text_;
};

// The test program in the build folder that plays a process of a run.
std::string peer_program();

}  // namespace kaon::testing
