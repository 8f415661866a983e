// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// Reads an environment variable: std::getenv, or a test's table.
using ReadVariable = std::function<const char*(const char*)>;

// Who has started this process.
struct Starter {
  enum class Kind {
    nobody,   // who would have started others, too
    kaonrun,  // or whatever stands in for it: it is reached by a socket
    pmix,     // a launcher with a server of PMIx: mpirun of Open MPI, prterun, srun
  };
  Kind kind = Kind::nobody;
  int socket = -1;  // to kaonrun

  friend bool operator==(const Starter&, const Starter&) = default;
};

// Throws UsageError when another launcher has started several of us, each of which would take itself for the whole run,
// and when the variables make no sense.
Starter find_starter(const ReadVariable& read);

}  // namespace kaon::launch
