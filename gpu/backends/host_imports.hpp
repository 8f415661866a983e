// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <mutex>

#include "kaon/gpu/backends/host_shared_file.hpp"

namespace kaon::gpu {

/// Pieces of other processes' HostSharedFile, or of one here, as this process has them mapped. Any thread.
class HostImports {
 public:
  HostImports() = default;
  HostImports(const HostImports&) = delete;
  HostImports& operator=(const HostImports&) = delete;
  /// Ends what was never closed.
  ~HostImports();

  /// nullptr: there is no such piece, its process has ended or runs as another user or in another container.
  void* open(const SharedPlace& place);
  void close(void* memory) noexcept;

 private:
  std::mutex mutex_;
  std::map<void*, std::size_t> open_;  // bytes; guarded
};

}  // namespace kaon::gpu
