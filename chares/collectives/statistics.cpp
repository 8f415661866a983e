// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace kaon::chares {

void Statistics::add(const Statistics& others) {
  if (others.count_ == 0) return;
  if (count_ == 0) {
    *this = others;
    return;
  }
  const auto mine = static_cast<double>(count_), theirs = static_cast<double>(others.count_), all = mine + theirs;
  const double apart = others.mean_ - mean_;
  squares_ += others.squares_ + apart * apart * (mine / all) * theirs;
  mean_ += apart * (theirs / all);
  count_ += others.count_;
  min_ = std::min(min_, others.min_);
  max_ = std::max(max_, others.max_);
}

double Statistics::variance() const { return count_ == 0 ? 0 : squares_ / static_cast<double>(count_); }
double Statistics::sample_variance() const { return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1); }
double Statistics::deviation() const { return std::sqrt(variance()); }

}  // namespace kaon::chares
