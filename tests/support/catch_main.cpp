// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER  // Catch2 2.13 is defined here; version 3 does not look at this
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

// --serialize-always runs the cases with every argument serialized, also inside one process. It reaches the runtime
// as it reaches any program that is not given the option: by the environment.
int main(int argc, char** argv) {
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--serialize-always") {
      setenv("KAON_SERIALIZE_ALWAYS", "1", 1);
    } else {
      arguments.push_back(argv[i]);
    }
  }
  return Catch::Session().run(static_cast<int>(arguments.size()), arguments.data());
}
