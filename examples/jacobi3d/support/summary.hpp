// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>

namespace jacobi3d {

// A sum that carries what its roundings lost (Neumaier), so that neither the order of the values nor
// the decomposition shows in more than the last digits. An aggregate: it travels in messages.
struct CompensatedSum {
  double rounded = 0;
  double lost = 0;

  double value() const { return rounded + lost; }

  void add(double number) {
    const double total = rounded + number;
    const bool is_smaller = std::fabs(rounded) >= std::fabs(number);
    lost += is_smaller ? (rounded - total) + number : (number - total) + rounded;
    rounded = total;
  }

  void add(std::span<const double> numbers) {
    for (const double number : numbers) add(number);
  }

  void add(const CompensatedSum& other) {
    add(other.rounded);
    lost += other.lost;
  }
};

// Combines the sums of blocks; for call_all.
struct AddSums {
  CompensatedSum operator()(CompensatedSum total, const CompensatedSum& other) const {
    total.add(other);
    return total;
  }
};

}  // namespace jacobi3d
