// SPDX-License-Identifier: Apache-2.0
// The floor of jacobi3d: the best plain OpenMP program that we can write for this processor. The same sweep over two
// arrays with a ghost layer, by threads that first touched what they compute; no messages, no copies, the largest
// change found in each step. Which kernel, which vectors and which blocking are the best is found by trying all.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace kaon::bench {

struct JacobiTime {
  std::string program;  ///< as "avx2/streamed-loop/128x64"
  double ms_per_iteration;
  double change;  ///< of the last iteration; equal for all programs
};

/// All programs that this processor can run, over one pair of arrays.
class OpenmpJacobi {
 public:
  OpenmpJacobi(int cells, int threads);
  ~OpenmpJacobi();

  std::vector<std::string> programs() const;
  /// One iteration that is not counted, then `iterations` - 1. Throws std::runtime_error for a program that is not
  /// here, and when the programs' changes differ.
  std::vector<JacobiTime> run(const std::vector<std::string>& programs, int iterations);
  /// The fastest `count`, after two rounds of short trials.
  std::vector<std::string> fastest(std::size_t count);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kaon::bench
