// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

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

// Set by a process that has joined a run of a launcher's, to what joined_as() gives: others that it starts see by it
// that they are none of that run.
inline constexpr const char* kJoinedVariable = "KAON_JOINED";
std::string joined_as(const char* job, const char* rank);

// Throws UsageError when another launcher has started several of us, each of which would take itself for the whole run,
// and when the variables make no sense.
Starter find_starter(const ReadVariable& read);

}  // namespace kaon::launch
