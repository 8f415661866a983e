// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Prints lines on standard output, as one piece: no line of another PE, thread or process comes between them. The last
/// one needs no end of line. With --label-output each begins with the PE that prints it.
void print(std::string_view lines);

}  // namespace kaon::runtime
