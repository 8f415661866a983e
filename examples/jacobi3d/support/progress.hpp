// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace jacobi3d {

// A bar on stderr, redrawn at most ten times a second; nothing at all unless that is a terminal.
class Progress {
 public:
  explicit Progress(int total);
  ~Progress();  // clears the line, for what is printed next
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_visible() const { return is_visible_; }
  void show(int done);

 private:
  const int total_;
  const bool is_visible_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace jacobi3d
