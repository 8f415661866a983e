// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/result.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/jacobi3d/support/output_file.hpp"

namespace jacobi3d {

Result make_result(std::int64_t iterations, std::int64_t timed, double change, double sum, double seconds,
                   double cells) {
  const double seconds_each = seconds / static_cast<double>(timed);
  return {iterations, change, sum, 1e3 * seconds_each, cells / seconds_each};
}

std::string result_line(const Result& result) {
  return fmt::format("iterations {}  change {:.17g}  sum {:.17g}  {:.4f} ms/iteration  {:.4g} cells/s",
                     result.iterations, result.change, result.sum, result.ms_per_iteration, result.cells_per_s);
}

void write_json(const Result& result, const std::string& path) {
  const nlohmann::ordered_json object{{"iterations", result.iterations},
                                      {"change", result.change},
                                      {"sum", result.sum},
                                      {"ms_per_iteration", result.ms_per_iteration},
                                      {"cells_per_s", result.cells_per_s}};
  std::ofstream file(path);
  file << object.dump(2) << '\n';
  file.close();
  if (!file) throw_unwritable(path);
}

}  // namespace jacobi3d
