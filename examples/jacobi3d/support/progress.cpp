// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace jacobi3d {
namespace {

constexpr int kWidth = 40;                        // characters
constexpr std::chrono::milliseconds kPause{100};  // between two drawings

}  // namespace

Progress::Progress(int total) : total_(total), is_visible_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (is_visible_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(int done) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_visible_ || now < next_) return;
  next_ = now + kPause;
  const auto filled = static_cast<int>(std::int64_t{kWidth} * done / total_);
  fmt::print(stderr, "\r[{:=<{}}{:<{}}] {}/{}", "", filled, "", kWidth - filled, done, total_);
  std::fflush(stderr);
}

}  // namespace jacobi3d
