// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kaon/runtime/ports/seat.hpp"

namespace kaon::launch {

// Reads an environment variable: std::getenv, or a test's table.
using ReadVariable = std::function<const char*(const char*)>;

// How a process of kaonrun finds it.
struct Inherited {
  int socket = -1;
  Seat seat;
};

// What kaonrun has left for this process; nothing when it was not started by it. Throws UsageError when another
// launcher has started several of us, each of which would take itself for the whole run, and when the variables make no
// sense.
std::optional<Inherited> read_environment(const ReadVariable& read);

}  // namespace kaon::launch
