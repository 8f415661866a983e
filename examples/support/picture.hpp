// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace examples {

// Values in a plane, put together from the parts that blocks hold, and their colours: from black and violet at 0
// through orange to pale yellow at 1.
class Picture {
 public:
  Picture(int rows, int columns);

  // The values of rows first_y.. and columns first_z.., `columns` to a row.
  void place(int first_y, int first_z, int columns, std::span<const double> values);

  // As a PNG, small slices enlarged to be seen. Throws kaon::UsageError when it cannot be written.
  void write(const std::string& path) const;

 private:
  int rows_, columns_;
  std::vector<double> values_;
};

}  // namespace examples
