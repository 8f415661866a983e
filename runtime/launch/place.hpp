// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// Where a process stands among the processes of its run.
struct Place {
  int process = 0;
  int processes = 1;
  int processes_on_host = 1;
};

}  // namespace kaon::launch
