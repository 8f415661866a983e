// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/forked_child.hpp"

#include <unistd.h>

namespace kaon::ampi {
namespace {

const pid_t process_at_start = ::getpid();

}  // namespace

// A handler of pthread_atfork would not see vfork(), whose child has the memory of its parent.
bool is_forked_child() noexcept { return ::getpid() != process_at_start; }

}  // namespace kaon::ampi
