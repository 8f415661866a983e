// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/running_thread.hpp"

#include <cxxabi.h>

#include <cerrno>

namespace kaon::ampi {

void RunningThread::look() noexcept {
  here_.error = &errno;
  here_.exceptions = reinterpret_cast<CaughtExceptions*>(abi::__cxa_get_globals());
}

}  // namespace kaon::ampi
