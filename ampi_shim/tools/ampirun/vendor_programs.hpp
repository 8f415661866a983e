// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>

namespace kaon::ampi {

/// Whether a program, or a library of those that came with it, is linked with the runtime library of the GPUs that this
/// build of Kaon knows, in either way; and there is such a GPU. `before`: what was loaded before the program.
bool uses_devices(const std::string& program, const std::set<std::string>& before);

}  // namespace kaon::ampi
