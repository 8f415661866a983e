// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::chares {

/// Summary of many numbers: count, mean, variance, minimum and maximum. Neither the count nor the size of the numbers
/// costs digits (Chan, Golub and LeVeque, Updating Formulae and a Pairwise Algorithm for Computing Sample Variances,
/// 1979). A value that can be sent, and reduced by kaon::statistics.
class Statistics {
 public:
  Statistics() = default;
  /// The statistics of one number.
  explicit Statistics(double value) : count_(1), mean_(value), min_(value), max_(value) {}

  void add(double value) { add(Statistics(value)); }
  void add(const Statistics& others);

  std::uint64_t count() const { return count_; }
  // Of no numbers these are 0.
  double mean() const { return mean_; }
  double min() const { return min_; }
  double max() const { return max_; }
  /// The variance of the numbers themselves. sample_variance() estimates the variance of the population of which they
  /// are a sample; it is 0 for fewer than 2 numbers.
  double variance() const;
  double sample_variance() const;
  /// The square root of variance().
  double deviation() const;

  bool operator==(const Statistics&) const = default;
  template <class Archive>
  void pup(Archive& archive) {
    archive(count_, mean_, squares_, min_, max_);
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // the sum of the squared distances from the mean
  double min_ = 0, max_ = 0;
};

struct MergeStatistics {
  Statistics operator()(Statistics a, const Statistics& b) const {
    a.add(b);
    return a;
  }
};
/// The operation for call_all and contribute.
inline constexpr MergeStatistics statistics;

}  // namespace kaon::chares
