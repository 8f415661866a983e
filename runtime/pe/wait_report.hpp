// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// A report for people of the tasks that wait on one PE or several, and what they wait for.
struct WaitReport {
  struct Line {
    double seconds = 0;  // waited so far; 0 where nobody looked at a clock
    std::string text;
    std::uint64_t count = 1;  // of equal ones, which have one line
  };
  std::uint64_t waits = 0;
  std::vector<Line> oldest;  // of them, so many that they fill a page

  /// Takes the lines in, the longest first.
  void add(WaitReport other);
  /// Counts the text in the line that has it already, or appends a line while there are few.
  void join(std::string text, std::uint64_t count = 1);
};

WaitReport waits_of(const Scheduler& scheduler);
/// A line for each, and how many more there are.
std::string to_text(const WaitReport& report);
/// A line that says which PEs did not answer, where not all of them have.
std::string to_text_of_silent(const std::vector<bool>& has_answered);

}  // namespace kaon::runtime
