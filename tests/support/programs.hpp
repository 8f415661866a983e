// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kaon::testing {

// Where the build has put a program: one that users have, or one of the tests' own.
std::string program(const std::string& name);
std::string test_program(const std::string& name);

}  // namespace kaon::testing
