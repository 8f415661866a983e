// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jacobi3d {

// What one run found, for people and for programs.
struct Result {
  std::int64_t iterations = 0;
  double change = 0;  // largest change of a point in the last iteration
  double sum = 0;     // of all interior values
  double ms_per_iteration = 0;
  double cells_per_s = 0;
};

// From the wall-clock time of the last `timed` of the iterations.
Result make_result(std::int64_t iterations, std::int64_t timed, double change, double sum, double seconds,
                   double cells);

// One line; `sum` and `change` with the 17 digits that tell two doubles apart.
std::string result_line(const Result& result);

// One object with the names of the fields as keys. Throws kaon::UsageError when it cannot be written.
void write_json(const Result& result, const std::string& path);

}  // namespace jacobi3d
