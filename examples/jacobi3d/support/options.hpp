// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/jacobi3d/support/geometry.hpp"

namespace jacobi3d {

// Who takes the steps: the host, by kernels that it launches, whose halos are sent or go through channels; or the
// device, by entries that run on it.
enum class Level : std::uint8_t { host, channel, device };

// Whether blocks of a PE that are ready together share launches: by the size of a block, always or never.
enum class Launches : std::uint8_t { by_size, gathered, single };

struct Options {
  Decomposition decomposition;
  Level level = Level::host;
  int iterations = 100;
  int warm_up = 0;  // of the iterations, so many have a time of their own
  int streams = 4;  // of a PE's device
  Launches launches = Launches::by_size;
  bool sends_only = false;  // compute nothing
  double tolerance = 0;     // stop when an iteration changes no point by more; 0: do all iterations
  std::string json;         // files; none when empty
  std::string picture;
  int blocks_of_pe = 1;  // the most that one has
};

// `arguments` without the program's name. Throws kaon::UsageError with a sentence for the user; files
// that are to be written have been tried.
Options parse_options(const std::vector<std::string>& arguments, bool has_devices = false);

// What main() does next: solve with `options`, or end with `code`, when help was asked for or the error has been
// printed.
struct Understood {
  std::optional<Options> options;
  int code = 0;
};
Understood understand(const std::vector<std::string>& arguments, bool has_devices);

bool asks_for_help(const std::vector<std::string>& arguments);
std::string options_help();

}  // namespace jacobi3d
