// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace kaon::ampi {

/// Libraries in this process that belong to a program, as they lie in its folder (or, for one in a bin, in the folder
/// above), and have variables: those are common to all ranks of the process, as a library is loaded once.
std::vector<std::string> own_libraries_with_variables(const std::string& program);

}  // namespace kaon::ampi
