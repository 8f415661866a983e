// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <memory>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/child_process.hpp"
#include "kaon/runtime/launch/merged_output.hpp"

namespace kaon::launch {

// Standard output and standard error of a run. Where both of kaonrun's are one terminal, pipe or file they stay one, so
// that a process' own lines keep their order. A process alone inherits kaonrun's own; so do all what nobody reads.
class Outputs {
 public:
  using Time = MergedOutput::Time;

  Outputs(int processes, bool has_labels);

  // Each process in turn, before it is started.
  ChildOutputs open(int process);

  // As of MergedOutput, for both.
  void add_to(std::vector<pollfd>& polled, bool takes_all);
  void serve(const std::vector<pollfd>& polled, Time now);
  [[nodiscard]] int wait_ms(Time now, int most) const;
  void drain(int process, Time now);
  void drain_all(Time now);
  void finish(Time now);

  // What has not been taken by kaonrun's readers.
  [[nodiscard]] bool has_unwritten() const;
  // The errno of standard output when it could not be written; else 0.
  [[nodiscard]] int output_error() const;
  // A line on standard error.
  void say(std::string_view line);

 private:
  [[nodiscard]] MergedOutput* errors() const { return are_one_ ? output_.get() : errors_.get(); }

  bool are_one_ = false;
  std::unique_ptr<MergedOutput> output_;  // null: inherited
  std::unique_ptr<MergedOutput> errors_;  // null: inherited, or one with output_
};

}  // namespace kaon::launch
