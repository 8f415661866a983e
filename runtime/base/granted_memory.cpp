// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/granted_memory.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

constexpr std::uint64_t kMib = 1 << 20;

// Measured, with UCX 1.22: 1.3 MiB and, for each PE, 0.6, and up to 1.2 in /dev/shm, which counts as well.
constexpr std::uint64_t kOfProcess = 2 * kMib;
constexpr std::uint64_t kOfPe = 2 * kMib;

// Reserved, of which little is used. glibc has a heap for each thread, up to eight times as many as processors; one
// more is mapped for a moment.
constexpr std::uint64_t kHeap = 64 * kMib;
constexpr std::uint64_t kHeapsOfProcessor = 8;
constexpr std::uint64_t kQueues = 4 * kMib;  // UCX's, of each PE

// Twice what runs of one host have been seen to need; entries have calls of their own.
constexpr rlim_t kStack = 256 << 10;

std::string mib_text(std::uint64_t bytes) { return std::to_string((bytes + kMib - 1) / kMib) + " MiB"; }

std::optional<std::uint64_t> number(const char* text) {
  if (text == nullptr) return std::nullopt;
  char* end = nullptr;
  const auto found = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0' || found == 0) return std::nullopt;  // 0: all that the host has
  return found;
}

std::uint64_t mapped_now() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t stack_of_thread() {
  pthread_attr_t defaults;
  pthread_attr_init(&defaults);
  std::size_t bytes = 0;
  pthread_attr_getstacksize(&defaults, &bytes);
  pthread_attr_destroy(&defaults);
  return bytes;
}

std::uint64_t address_space_of(std::uint64_t pes) {
  const auto processors = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  const std::uint64_t heaps = std::min(pes, kHeapsOfProcessor * processors) + 1;
  return mapped_now() + pes * (stack_of_thread() + kQueues) + heaps * kHeap;
}

std::string of_pes(std::uint64_t pes, const char* where) {
  return pes == 1 ? std::string("the PE ") + where + " needs "
                  : "the " + std::to_string(pes) + " PEs " + where + " need ";
}

std::optional<MemoryLimit> limit_of_job() {
  return limit_of_slurm([](const char* name) { return std::getenv(name); }, limit_of_resident_memory());
}

}  // namespace

std::optional<MemoryLimit> limit_of_slurm(const std::function<const char*(const char*)>& read,
                                          std::optional<std::uint64_t> resident_bytes) {
  if (const auto mib = number(read("SLURM_MEM_PER_NODE")))
    return MemoryLimit{*mib * kMib, "SLURM_MEM_PER_NODE=" + std::to_string(*mib)};
  const auto each = number(read("SLURM_MEM_PER_CPU")), processors = number(read("SLURM_CPUS_ON_NODE"));
  if (each && processors) return MemoryLimit{*each * *processors * kMib, "SLURM_MEM_PER_CPU=" + std::to_string(*each)};
  const char* const job = read("SLURM_JOB_ID");
  if (job == nullptr || !resident_bytes) return std::nullopt;
  return MemoryLimit{*resident_bytes, "Slurm's job " + std::string(job) + ", ulimit -m"};
}

std::optional<std::uint64_t> limit_of_resident_memory() {
  rlimit allowed{};
  if (getrlimit(RLIMIT_RSS, &allowed) != 0 || allowed.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return allowed.rlim_cur;
}

std::uint64_t memory_of_pes(int processes, int pes_per_process) {
  return static_cast<std::uint64_t>(processes) * (kOfProcess + static_cast<std::uint64_t>(pes_per_process) * kOfPe);
}

std::uint64_t memory_of_host() {
  std::uint64_t memory =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (const auto limit = MemoryGroups().limit()) memory = std::min(memory, limit->bytes);
  if (const auto limit = limit_of_job()) memory = std::min(memory, limit->bytes);
  return memory;
}

std::size_t default_queue_limit_mib(std::uint64_t memory, int pes_on_host) {
  constexpr std::uint64_t kLeast = 64, kMost = 4096;
  const auto pes = static_cast<std::uint64_t>(std::max(1, pes_on_host));
  return std::clamp(memory / 2 / pes / kMib, kLeast, kMost);
}

void require_memory(const std::optional<MemoryLimit>& limit, int processes, int pes_per_process) {
  const std::uint64_t needed = memory_of_pes(processes, pes_per_process);
  if (!limit || needed <= limit->bytes) return;
  const auto pes = static_cast<std::uint64_t>(processes) * static_cast<std::uint64_t>(pes_per_process);
  throw OutOfMemory(of_pes(pes, "on this host") + mib_text(needed) + " of memory before there is a chare, and " +
                    mib_text(limit->bytes) + " is all they may take (" + limit->whose +
                    "): use fewer PEs or processes, or ask for more (srun --mem, docker run --memory)");
}

// The main thread's stack grows up to the limit, and other threads have the limit as their size.
void require_stack() {
  rlimit allowed{};
  if (getrlimit(RLIMIT_STACK, &allowed) != 0 || allowed.rlim_cur == RLIM_INFINITY || allowed.rlim_cur >= kStack) return;
  throw OutOfMemory("a stack may have " + std::to_string(allowed.rlim_cur >> 10) + " KiB here (ulimit -s), and needs " +
                    std::to_string(kStack >> 10) + ": say `ulimit -s 8192`");
}

void require_address_space(int pes) {
  rlimit allowed{};
  if (getrlimit(RLIMIT_AS, &allowed) != 0 || allowed.rlim_cur == RLIM_INFINITY) return;
  const auto count = static_cast<std::uint64_t>(pes);
  const std::uint64_t needed = address_space_of(count);
  if (needed <= allowed.rlim_cur) return;
  throw OutOfMemory(of_pes(count, "of this process") + mib_text(needed) +
                    " of address space, most of which is only reserved, and may have " + mib_text(allowed.rlim_cur) +
                    " (ulimit -v): use fewer PEs, or say `ulimit -v unlimited`");
}

void require_granted_memory(int processes_on_host, int pes_per_process) {
  require_stack();
  require_memory(MemoryGroups().limit(), processes_on_host, pes_per_process);
  require_memory(limit_of_job(), processes_on_host, pes_per_process);
  require_address_space(pes_per_process);
}

}  // namespace kaon::runtime
