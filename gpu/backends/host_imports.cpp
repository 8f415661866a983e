// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/host_imports.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "kaon/gpu/backends/map_shared.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/last_words.hpp"

namespace kaon::gpu {
namespace {

/// Whether the piece lies in the file, which is the one that was meant.
bool holds(int descriptor, const SharedPlace& place) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || facts.st_ino != place.file) return false;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  return place.bytes > 0 && place.offset <= size && place.bytes <= size - place.offset;
}

/// Throws OutOfMemory where the memory is in reach, but this process may not map so much.
void* mapped(int descriptor, const SharedPlace& place) {
  if (!holds(descriptor, place)) return nullptr;
  void* const memory = map_shared(descriptor, place.offset, place.bytes);
  if (memory == nullptr && errno == ENOMEM)
    throw OutOfMemory(fmt::format("{} bytes of device memory cannot be mapped from the process with id {}: {}",
                                  place.bytes, place.process, runtime::kMemoryAdvice));
  return memory;
}

struct OpenFile {
  explicit OpenFile(const std::string& path) : descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  const int descriptor;
};

}  // namespace

HostImports::~HostImports() {
  for (const auto& [memory, bytes] : open_) munmap(memory, bytes);
}

void* HostImports::open(const SharedPlace& place) {
  const OpenFile file(fmt::format("/proc/{}/fd/{}", place.process, place.descriptor));
  void* const memory = file.descriptor >= 0 ? mapped(file.descriptor, place) : nullptr;
  if (memory == nullptr) return nullptr;
  const std::lock_guard hold(mutex_);
  open_.emplace(memory, place.bytes);
  return memory;
}

void HostImports::close(void* memory) noexcept {
  const std::lock_guard hold(mutex_);
  const auto found = open_.find(memory);
  if (found == open_.end()) return;
  munmap(found->first, found->second);
  open_.erase(found);
}

}  // namespace kaon::gpu
