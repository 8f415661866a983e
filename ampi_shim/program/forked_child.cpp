// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/forked_child.hpp"

#include <pthread.h>
#include <unistd.h>

namespace kaon::ampi {
namespace {

const pid_t process_at_start = ::getpid();
bool has_been_forked = false;
const int registered = ::pthread_atfork(nullptr, nullptr, [] { has_been_forked = true; });

}  // namespace

// A handler of pthread_atfork would not see vfork(), whose child has the memory of its parent.
bool is_forked_child() noexcept { return ::getpid() != process_at_start; }

bool is_child_of_fork() noexcept { return has_been_forked; }

}  // namespace kaon::ampi
