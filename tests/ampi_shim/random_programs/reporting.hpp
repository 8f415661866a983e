// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// The seed and the epoch that run now, for the line that a failure prints.
struct Scene {
  std::uint64_t seed = 0;
  int epoch = 0;
};
inline Scene scene;

/// Ends the run with a line that has the seed, when `holds` is false.
void check(bool holds, const std::string& what);
void check(bool holds, const char* what);
