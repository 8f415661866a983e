// SPDX-License-Identifier: Apache-2.0
// The only source that is compiled for one build folder: the others can be shared by caches of compilations.
#include "tests/support/programs.hpp"

#include <cstdlib>

namespace kaon::testing {

namespace {

/// In a bundle (./dev bundle) that KAON_BUNDLE names, on a machine that has no build; else where the build has put it.
std::string in(const char* folder_of_bundle, const char* folder, const std::string& name) {
  const char* const bundle = std::getenv("KAON_BUNDLE");
  return bundle != nullptr ? std::string(bundle) + "/" + folder_of_bundle + "/" + name
                           : std::string(folder) + "/" + name;
}

}  // namespace

std::string program(const std::string& name) { return in("bin", KAON_BIN_DIR, name); }

std::string test_program(const std::string& name) { return in("tests", KAON_TEST_BIN_DIR, name); }

}  // namespace kaon::testing
