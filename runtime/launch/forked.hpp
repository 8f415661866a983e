// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::launch {

// What kaonrun does for each process that it makes, of the run's or its own.

// Of a pipe or a socket pair between this process and another, which does not inherit them by itself.
struct Ends {
  Descriptor ours;
  Descriptor theirs;
};

// Throws UsageError when there are no descriptors left.
Ends make_socket_pair();

// As fork(), of a process that is killed when this one dies. Throws UsageError when there can be no further process.
pid_t fork_to_die_with_us();

// Waits for the end of a child of ours, which is nobody's zombie afterwards.
void reap(pid_t child);

}  // namespace kaon::launch
