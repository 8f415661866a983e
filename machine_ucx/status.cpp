// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/status.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {

namespace {

std::string describe(ucs_status_t status, const std::string& what, const char* cure) {
  return "UCX: " + what + " failed: " + ucs_status_string(status) + ". " + cure;
}

}  // namespace

void throw_status(ucs_status_t status, const std::string& what) {
  switch (status) {
    case UCS_ERR_NO_MEMORY:
    case UCS_ERR_NO_RESOURCE:
      throw OutOfMemory(describe(status, what, "Free memory on this machine (also in /dev/shm) or use fewer PEs."));
    case UCS_ERR_UNREACHABLE:
    case UCS_ERR_NO_DEVICE:
    case UCS_ERR_UNSUPPORTED:
    case UCS_ERR_INVALID_PARAM:
    case UCS_ERR_NO_ELEM:
      throw UsageError(
          describe(status, what,
                   "No transport of UCX serves this: unset UCX_TLS and the other UCX_ variables, or give "
                   "the same transports to all processes; `ucx_info -d` lists those there are. Or the other "
                   "process has just died: look for its error."));
    case UCS_ERR_MESSAGE_TRUNCATED:
      throw CorruptMessage(describe(status, what,
                                    "The sender's message is longer than agreed: start the same program "
                                    "in all processes."));
    default:
      throw LostPeer(describe(status, what,
                              "Look for an earlier error of another process of this run; set "
                              "UCX_LOG_LEVEL=info to see more."));
  }
}

}  // namespace kaon::machine_ucx
