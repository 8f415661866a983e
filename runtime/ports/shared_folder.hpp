// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Where the processes of a host keep memory that they share under a name. It goes, with what is in it, when the run
/// ends, however that happens.
struct SharedFolder {
  std::string path;              // empty: there is none for this run
  std::uint64_t free_bytes = 0;  // for all processes of the run, before the first began
};

}  // namespace kaon::runtime
