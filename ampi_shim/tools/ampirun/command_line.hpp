// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "kaon/runtime/base/options.hpp"

namespace kaon::ampi {

/// The options of ampirun, as the user has given them.
struct Command {
  int ranks = 1;
  int processes = 1;
  int ranks_per_process = 0;  // at most; 0: as many as there are, in so many processes
  std::size_t stack_bytes = std::size_t{8} << 20;
  bool shares_globals = false;
  bool has_labels = false;
  bool wants_help = false;
  bool wants_version = false;
  double start_s = 60;
  double peer_s = 20;
  runtime::Options runtime;
  std::vector<std::string> program;  // and its arguments
};

/// Throws UsageError, which says what is wrong.
Command parse_command(int argc, const char* const* argv);
std::string help_text();

}  // namespace kaon::ampi
