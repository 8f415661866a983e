// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Throws OutOfMemory when the system has no port for a socket of TCP: "connecting to another PE".
[[noreturn]] void throw_no_port(std::string_view doing);

}  // namespace kaon::runtime
