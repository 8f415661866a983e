// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>

namespace kaon::ampi {

/// True if there is a GPU that this build of Kaon knows, and a program uses its runtime library. The program or a
/// library that came with it is linked with that in either way. `before` are the libraries loaded before the program.
bool uses_devices(const std::string& program, const std::set<std::string>& before);

}  // namespace kaon::ampi
