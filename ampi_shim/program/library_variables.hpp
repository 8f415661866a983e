// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>

namespace kaon::ampi {

/// The libraries in this process, by their paths.
std::set<std::string> loaded_libraries();

/// Prints which libraries that have come into this process for its program, lie outside the system's folders and have
/// variables: those are common to all ranks of the process, as a library is loaded once. `before`: what was loaded
/// before.
void warn_of_shared_variables(const std::set<std::string>& before);

}  // namespace kaon::ampi
