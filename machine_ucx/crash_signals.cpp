// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <signal.h>
#include <ucs/debug/debug.h>

#include <cstdlib>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {
namespace {

const void* library_of(const void* address) {
  Dl_info found{};
  return dladdr(address, &found) != 0 ? found.dli_fbase : nullptr;
}

bool is_handled_by_ucx(int signal) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) == 0 && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) return false;
  const void* ucx = library_of(reinterpret_cast<const void*>(&ucs_debug_disable_signal));
  return ucx != nullptr && library_of(reinterpret_cast<const void*>(now.sa_sigaction)) == ucx;
}

}  // namespace
}  // namespace kaon::machine_ucx

/// UCX takes such signals as it is loaded, where it was built so. Who sets UCX_HANDLE_ERRORS wants its report.
void kaon::runtime::release_signal_of_machine(int signal) {
  if (std::getenv("UCX_HANDLE_ERRORS") == nullptr && machine_ucx::is_handled_by_ucx(signal))
    ucs_debug_disable_signal(signal);
}
