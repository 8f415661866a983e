// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/shared_memory.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {
namespace {

constexpr const char* kShared = "/dev/shm";
constexpr std::array kChoices{"UCX_TLS", "UCX_POSIX_DIR", "UCX_POSIX_FIFO_SIZE", "UCX_POSIX_SEG_SIZE",
                              "UCX_POSIX_RX_BUFS_GROW"};

// Of UCX: the queue, and its buffers, which may become more.
constexpr std::uint64_t kFilesOfPe = 3;

bool has_user_chosen() {
  for (const char* name : kChoices)
    if (std::getenv(name) != nullptr) return true;
  return false;
}

std::uint64_t free_bytes() {
  struct statvfs found {};
  return statvfs(kShared, &found) == 0 ? std::uint64_t{found.f_bavail} * found.f_frsize : 0;
}

void require_writable() {
  if (access(kShared, W_OK) == 0 || (errno != EROFS && errno != EACCES)) return;
  throw UsageError(std::string("processes of a host share memory by ") + kShared + ", which this one cannot write (" +
                   std::strerror(errno) +
                   "): mount it so that it can, or set UCX_TLS=tcp, which is slower and uses the loopback interface");
}

std::string mib_text(std::uint64_t bytes) { return std::to_string((bytes >> 20) + ((bytes & 0xfffff) != 0)) + " MiB"; }

}  // namespace

// What is free now, as other processes of the run may have made theirs.
void require_files_in_shared_memory(std::uint64_t pes) {
  struct statvfs found {};
  if (has_user_chosen() || statvfs(kShared, &found) != 0 || found.f_files == 0) return;  // 0: it counts none
  if (found.f_favail >= pes * kFilesOfPe) return;
  throw OutOfMemory(std::string(kShared) + " can hold " + std::to_string(found.f_favail) + " more files (" +
                    std::to_string(found.f_files) + " inodes), and each PE needs " + std::to_string(kFilesOfPe) +
                    ": remove files there, or mount it with more (mount -o remount,nr_inodes=100k " + kShared + ")");
}

void require_shared_memory(const SharedFolder& folder, const Seat& seat, int pes_per_process) {
  if (has_user_chosen()) return;
  if (folder.path.empty()) require_writable();
  require_files_in_shared_memory(static_cast<std::uint64_t>(pes_per_process));
  const auto pes = static_cast<std::uint64_t>(seat.processes_on_host) * static_cast<std::uint64_t>(pes_per_process);
  const std::uint64_t needed = pes * kSharedBytesOfPe;
  const std::uint64_t free = folder.path.empty() ? free_bytes() : folder.free_bytes;
  if (free >= needed) return;
  throw OutOfMemory(
      "the " + std::to_string(pes) + " PEs on this host need " + mib_text(needed) + " of shared memory, and " +
      kShared + " has " + mib_text(free) +
      ": free some there, use fewer PEs or processes, or give the container more (docker run --shm-size=" +
      std::to_string(((2 * needed) >> 20) + 1) + "m)");
}

}  // namespace kaon::machine_ucx
