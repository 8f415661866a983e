// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/result.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/support/output_file.hpp"

namespace jacobi3d {

Result make_result(double change, double sum, const Steps& warm_up, const Steps& later, std::size_t cells) {
  const Steps& timed = later.count > 0 ? later : warm_up;
  const double seconds_each = timed.took.count() / static_cast<double>(timed.count);
  return {.iterations = warm_up.count + later.count,
          .change = change,
          .sum = sum,
          .ms_per_iteration = 1e3 * seconds_each,
          .cells_per_s = static_cast<double>(cells) / seconds_each,
          .warm_up = warm_up.count,
          .warm_up_ms = 1e3 * warm_up.took.count()};
}

std::string result_line(const Result& result) {
  return fmt::format(
      "iterations {}  change {:.17g}  sum {:.17g}  {:.4f} ms/iteration  {:.4g} cells/s  after {} in {:.4g} ms",
      result.iterations, result.change, result.sum, result.ms_per_iteration, result.cells_per_s, result.warm_up,
      result.warm_up_ms);
}

void write_json(const Result& result, const std::string& path) {
  const nlohmann::ordered_json object{{"iterations", result.iterations},
                                      {"change", result.change},
                                      {"sum", result.sum},
                                      {"ms_per_iteration", result.ms_per_iteration},
                                      {"cells_per_s", result.cells_per_s},
                                      {"warm_up", result.warm_up},
                                      {"warm_up_ms", result.warm_up_ms}};
  std::ofstream file(path);
  file << object.dump(2) << '\n';
  file.close();
  if (!file) examples::throw_unwritable(path);
}

}  // namespace jacobi3d
