// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/status.hpp"

#include <sys/mman.h>

#include "kaon/machine_ucx/shared_memory.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/last_words.hpp"

namespace kaon::machine_ucx {

namespace {

std::string describe(ucs_status_t status, const std::string& what, const char* cure) {
  return "UCX: " + what + " failed: " + ucs_status_string(status) + ". " + cure;
}

[[noreturn]] void throw_lost(ucs_status_t status, const std::string& what) {
  throw LostPeer(describe(status, what,
                          "Look for an earlier error of another process of this run; set UCX_LOG_LEVEL=info to see "
                          "more."));
}

// Tries to map as much address space as UCX needs for a connection to a PE of this host.
bool can_map_segment() {
  void* const memory = mmap(nullptr, kSharedBytesOfPe, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, kSharedBytesOfPe) == 0;
}

}  // namespace

void throw_status(ucs_status_t status, const std::string& what) {
  switch (status) {
    case UCS_ERR_NO_MEMORY:
    case UCS_ERR_NO_RESOURCE:
      throw OutOfMemory(describe(status, what, "Free memory on this machine (also in /dev/shm) or use fewer PEs."));
    case UCS_ERR_SHMEM_SEGMENT:  // of a process that has just died, too
      if (!can_map_segment())
        throw OutOfMemory("out of memory while " + what + " (UCX: " + ucs_status_string(status) +
                          "): " + std::string(runtime::kMemoryAdvice));
      throw_lost(status, what);
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
      throw_lost(status, what);
  }
}

}  // namespace kaon::machine_ucx
