// SPDX-License-Identifier: Apache-2.0
// Something that drifts with a wind, in square cells: each step a cell gives to those behind it what the wind takes
// along, so that nothing is lost or made.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "examples/adaptive/tree.hpp"

namespace adaptive {

inline constexpr std::array<double, 2> kWind{1.0, 0.5};  // along x and y, sides of the square in a unit of time

struct Problem {
  int cells = 8;     // along each axis of a block
  int coarsest = 2;  // levels
  int finest = 5;
  double time = 0.5;
  double threshold = 0.005;  // between cells: where more is, blocks split

  double size(int level) const { return 1.0 / (cells << level); }
  int steps() const { return static_cast<int>(std::ceil(2 * time * (kWind[kX] + kWind[kY]) / size(finest))); }
  double step() const { return time / steps(); }
};

/// A drop in a corner. The mean over a cell, more or less.
inline double initial(double x, double y) {
  const double distance = (x - 0.3) * (x - 0.3) + (y - 0.3) * (y - 0.3);
  return std::exp(-distance / 0.005);
}

/// count x count cells, row by row.
class Field {
 public:
  using Values = std::vector<double>;

  Field() = default;
  explicit Field(int count) : count_(count), values_(static_cast<std::size_t>(count * count)) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(count_, values_);
  }

  friend bool operator==(const Field&, const Field&) = default;
  int count() const { return count_; }
  double& at(int x, int y) { return values_[static_cast<std::size_t>(y * count_ + x)]; }
  double at(int x, int y) const { return values_[static_cast<std::size_t>(y * count_ + x)]; }

  /// Sets the initial values of a square with this lower corner and cells of this size.
  void set_initial(double left, double low, double size) {
    for (int y = 0; y < count_; ++y)
      for (int x = 0; x < count_; ++x) at(x, y) = initial(left + (x + 0.5) * size, low + (y + 0.5) * size);
  }
  /// The cells on the side of higher coordinates, which the wind comes to last.
  Values last(Axis axis) const {
    Values values;
    for (int i = 0; i < count_; ++i) values.push_back(axis == kX ? at(count_ - 1, i) : at(i, count_ - 1));
    return values;
  }
  /// One step; `before` are the cells that the wind has come to before, along each axis.
  void drift(const std::array<Values, 2>& before, double step_by_size) {
    for (int y = count_ - 1; y >= 0; --y)  // against the wind: what is read is old
      for (int x = count_ - 1; x >= 0; --x) {
        const double left = x > 0 ? at(x - 1, y) : before[kX][static_cast<std::size_t>(y)];
        const double low = y > 0 ? at(x, y - 1) : before[kY][static_cast<std::size_t>(x)];
        at(x, y) -= step_by_size * (kWind[kX] * (at(x, y) - left) + kWind[kY] * (at(x, y) - low));
      }
  }
  double sum() const {
    double sum = 0;
    for (const double value : values_) sum += value;
    return sum;
  }
  /// The largest difference of neighbors.
  double roughness() const {
    double most = 0;
    for (int y = 0; y < count_; ++y)
      for (int x = 0; x < count_; ++x) {
        if (x > 0) most = std::max(most, std::abs(at(x, y) - at(x - 1, y)));
        if (y > 0) most = std::max(most, std::abs(at(x, y) - at(x, y - 1)));
      }
    return most;
  }
  /// A quarter of the square, in as many cells.
  Field finer(int quarter) const {
    Field part(count_);
    const int half = count_ / 2;
    for (int y = 0; y < count_; ++y)
      for (int x = 0; x < count_; ++x) part.at(x, y) = at(quarter % 2 * half + x / 2, quarter / 2 * half + y / 2);
    return part;
  }
  /// Takes a quarter over from a block that has as many cells for it.
  void set_quarter(int quarter, const Field& part) {
    const int half = count_ / 2;
    for (int y = 0; y < half; ++y)
      for (int x = 0; x < half; ++x)
        at(quarter % 2 * half + x, quarter / 2 * half + y) =
            (part.at(2 * x, 2 * y) + part.at(2 * x + 1, 2 * y) + part.at(2 * x, 2 * y + 1) +
             part.at(2 * x + 1, 2 * y + 1)) /
            4;
  }

 private:
  int count_ = 0;
  Values values_;
};

/// The same problem in one field with the finest cells everywhere.
inline Field uniform_solution(const Problem& problem) {
  Field field(problem.cells << problem.finest);
  field.set_initial(0, 0, problem.size(problem.finest));
  for (int i = 0; i < problem.steps(); ++i)
    field.drift({field.last(kX), field.last(kY)}, problem.step() / problem.size(problem.finest));
  return field;
}

}  // namespace adaptive
