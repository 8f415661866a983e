// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/host_imports.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "kaon/gpu/backends/map_shared.hpp"

namespace kaon::gpu {
namespace {

/// Whether the piece lies in the file, which is the one that was meant.
bool holds(int descriptor, const SharedPlace& place) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || facts.st_ino != place.file) return false;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  return place.bytes > 0 && place.offset <= size && place.bytes <= size - place.offset;
}

void* mapped(int descriptor, const SharedPlace& place) {
  if (!holds(descriptor, place)) return nullptr;
  return map_shared(descriptor, place.offset, place.bytes);
}

}  // namespace

HostImports::~HostImports() {
  for (const auto& [memory, bytes] : open_) munmap(memory, bytes);
}

void* HostImports::open(const SharedPlace& place) {
  const std::string path = fmt::format("/proc/{}/fd/{}", place.process, place.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  void* const memory = mapped(descriptor, place);
  ::close(descriptor);
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
