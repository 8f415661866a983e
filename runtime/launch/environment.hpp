// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// Reads an environment variable: std::getenv, or a test's table.
using ReadVariable = std::function<const char*(const char*)>;

// The descriptor by which this process speaks to kaonrun; nothing when it was not started by it. Throws UsageError when
// another launcher has started several of us, each of which would take itself for the whole run, and when the variables
// make no sense.
std::optional<int> inherited_socket(const ReadVariable& read);

}  // namespace kaon::launch
