// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/launch/line_merger.hpp"
#include "kaon/runtime/launch/output_file.hpp"

namespace kaon::launch {

// What all processes write, passed on to one descriptor of kaonrun's as whole lines. Each process writes into a pipe of
// its own or, where the descriptor is a terminal, into a terminal of its own, so that its libraries hold no lines back.
class MergedOutput {
 public:
  using Time = LineMerger::Time;

  MergedOutput(int descriptor, int processes, bool has_labels);
  MergedOutput(const MergedOutput&) = delete;
  MergedOutput& operator=(const MergedOutput&) = delete;

  // The end that the process writes into; ours goes when the process has closed it. Throws UsageError when there are no
  // descriptors left.
  Descriptor open(int process);

  // Appends what to wait for. `takes_all`: also from processes whose output nobody reads fast enough.
  void add_to(std::vector<pollfd>& polled, bool takes_all);
  // With the same vector, filled by poll().
  void serve(const std::vector<pollfd>& polled, Time now);
  // Milliseconds until serve() has something to do without any event; `most` when it has nothing.
  [[nodiscard]] int wait_ms(Time now, int most) const;
  // Passes on what the process has written until now; what all have.
  void drain(int process, Time now);
  void drain_all(Time now);
  // When no process is left: what they have written, and last lines without an end.
  void finish(Time now);
  // Whole lines of kaonrun's own.
  void say(std::string_view lines) { merger_.insert(lines); }

  [[nodiscard]] const OutputFile& file() const noexcept { return file_; }
  void flush() { file_.flush(); }

 private:
  struct Source {
    Descriptor end;
    int process;
  };

  Descriptor open_pipe(Descriptor& ours);
  Descriptor open_terminal(Descriptor& ours);
  bool read(Source& source, Time now);
  void read_until_empty(Source& source, Time now);

  bool is_terminal_;
  OutputFile file_;
  LineMerger merger_;
  std::vector<Source> sources_;
  std::size_t first_polled_ = 0;  // the file's in the vector of add_to(); the sources' follow
};

}  // namespace kaon::launch
