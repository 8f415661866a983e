// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace jacobi3d {

using Seconds = std::chrono::duration<double>;

// So many iterations, and the wall-clock time that they took together.
struct Steps {
  int count = 0;
  Seconds took{};
  Steps& operator+=(const Steps& more) {
    count += more.count;
    took += more.took;
    return *this;
  }
};

// What one run found, for people and for programs.
struct Result {
  std::int64_t iterations = 0;
  double change = 0;            // largest change of a point in the last iteration
  double sum = 0;               // of all interior values
  double ms_per_iteration = 0;  // of those that did not warm up
  double cells_per_s = 0;
  std::int64_t warm_up = 0;  // of the iterations: memory is taken and processes come to know each other meanwhile
  double warm_up_ms = 0;     // for these together
};

// Where no iteration came after those that warm up, these count.
Result make_result(double change, double sum, const Steps& warm_up, const Steps& later, std::size_t cells);

// One line; `sum` and `change` with the 17 digits that tell two doubles apart.
std::string result_line(const Result& result);

// One object with the names of the fields as keys. Throws kaon::UsageError when it cannot be written.
void write_json(const Result& result, const std::string& path);

}  // namespace jacobi3d
