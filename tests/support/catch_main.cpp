// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER  // Catch2 2.13 is defined here; version 3 does not look at this
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

// Who catches an exception that a future has brought, and the thread that made it, let go of it by a count inside the
// standard library, which ThreadSanitizer does not see: it takes the last one's release for a race.
extern "C" const char* __tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char* __tsan_default_suppressions() { return "race:std::__future_base::_Result"; }

// --serialize-always runs the cases with every argument serialized, also inside one process. It reaches the runtime
// as it reaches any program that is not given the option: by the environment.
int main(int argc, char** argv) {
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--serialize-always")
      setenv("KAON_SERIALIZE_ALWAYS", "1", 1);
    else
      arguments.push_back(argv[i]);
  }
  return Catch::Session().run(static_cast<int>(arguments.size()), arguments.data());
}
