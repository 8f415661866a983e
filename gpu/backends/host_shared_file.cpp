// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/host_shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kaon/gpu/backends/map_shared.hpp"

namespace kaon::gpu {
namespace {

std::size_t whole_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

HostSharedFile::~HostSharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

// At the first piece: many an emulation gives out none.
bool HostSharedFile::is_open() {
  if (descriptor_ >= 0) return true;
  descriptor_ = memfd_create("kaon-device", MFD_CLOEXEC);
  struct stat facts {};
  if (descriptor_ < 0 || fstat(descriptor_, &facts) != 0) return false;
  number_ = facts.st_ino;
  return true;
}

std::byte* HostSharedFile::take(std::size_t bytes) {
  if (!is_open()) return nullptr;
  const Piece piece{end_, whole_pages(bytes)};
  if (ftruncate(descriptor_, static_cast<off_t>(piece.offset + piece.bytes)) != 0) return nullptr;
  void* const memory = map_shared(descriptor_, piece.offset, piece.bytes);
  if (memory == nullptr) return nullptr;
  end_ += piece.bytes;
  pieces_.emplace(static_cast<const std::byte*>(memory), piece);
  return static_cast<std::byte*>(memory);
}

void HostSharedFile::give_back(std::byte* memory) noexcept {
  const auto found = pieces_.find(memory);
  const Piece piece = found->second;
  pieces_.erase(found);
  munmap(memory, piece.bytes);
  // The file keeps its length and loses its pages. Where that cannot be, they stay until the end of the process.
  static_cast<void>(fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(piece.offset),
                              static_cast<off_t>(piece.bytes)));
}

SharedPlace HostSharedFile::place_of(const std::byte* memory) const {
  const Piece& piece = pieces_.at(memory);
  return {.file = number_,
          .offset = piece.offset,
          .bytes = piece.bytes,
          .process = static_cast<std::int32_t>(getpid()),
          .descriptor = descriptor_};
}

}  // namespace kaon::gpu
