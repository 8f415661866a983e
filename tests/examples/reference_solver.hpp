// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace kaon::testing {

// The heat problem solved as its definition reads, one point after the other over one array with a
// ghost layer. It shares nothing with the example, so that a mistake there is not made here too.
class ReferenceSolver {
 public:
  ReferenceSolver(int nx, int ny, int nz) : nx_(nx), ny_(ny), nz_(nz), now_(size(), 1.0), next_(size(), 1.0) {
    for_each_point([this](int x, int y, int z) { now_[at(x, y, z)] = 0.0; });
  }

  // Returns the largest change of a point.
  double step() {
    double change = 0;
    for_each_point([&](int x, int y, int z) {
      double sum = now_[at(x - 1, y, z)];
      sum += now_[at(x + 1, y, z)];
      sum += now_[at(x, y - 1, z)];
      sum += now_[at(x, y + 1, z)];
      sum += now_[at(x, y, z - 1)];
      sum += now_[at(x, y, z + 1)];
      next_[at(x, y, z)] = sum / 6.0;
      change = std::max(change, std::abs(next_[at(x, y, z)] - now_[at(x, y, z)]));
    });
    std::swap(now_, next_);
    return change;
  }

  double value(int x, int y, int z) const { return now_[at(x, y, z)]; }

  // In long double, whose own roundings lie far below those of a double.
  double sum() const {
    long double total = 0;
    for_each_point([&](int x, int y, int z) { total += now_[at(x, y, z)]; });
    return static_cast<double>(total);
  }

 private:
  std::size_t size() const { return at(nx_, ny_, nz_) + 1; }
  std::size_t at(int x, int y, int z) const {
    const auto i = static_cast<std::size_t>(x + 1), j = static_cast<std::size_t>(y + 1);
    return (i * static_cast<std::size_t>(ny_ + 2) + j) * static_cast<std::size_t>(nz_ + 2) +
           static_cast<std::size_t>(z + 1);
  }
  template <class Visit>
  void for_each_point(Visit visit) const {
    for (int x = 0; x < nx_; ++x)
      for (int y = 0; y < ny_; ++y)
        for (int z = 0; z < nz_; ++z) visit(x, y, z);
  }

  int nx_, ny_, nz_;
  std::vector<double> now_, next_;
};

}  // namespace kaon::testing
