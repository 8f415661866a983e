// SPDX-License-Identifier: Apache-2.0
// The only source that is compiled for one build folder: the others can be shared by caches of compilations.
#include "tests/support/programs.hpp"

namespace kaon::testing {

std::string program(const std::string& name) { return KAON_BIN_DIR "/" + name; }

std::string test_program(const std::string& name) { return KAON_TEST_BIN_DIR "/" + name; }

}  // namespace kaon::testing
