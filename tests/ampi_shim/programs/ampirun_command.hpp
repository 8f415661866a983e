// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/support/programs.hpp"

namespace kaon::testing {

/// How many ranks a run of MPI has, and where.
struct Shape {
  int ranks, processes, pes;
};

/// ampirun for this shape; what it runs comes behind.
inline std::vector<std::string> ampirun_command(const Shape& shape) {
  return {program("ampirun"),
          "-n",
          std::to_string(shape.ranks),
          "--processes",
          std::to_string(shape.processes),
          "--pes",
          std::to_string(shape.pes)};
}

}  // namespace kaon::testing
