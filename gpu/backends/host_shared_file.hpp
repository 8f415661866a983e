// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>

namespace kaon::gpu {

/// Where other processes of the host find a piece of a HostSharedFile. Copied as its bytes.
struct SharedPlace {
  std::uint64_t file = 0;  // its number on the host: another file may have the descriptor when this one is gone
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::int32_t process = -1;
  std::int32_t descriptor = -1;
};

/// Memory that processes can share: pieces of a file without a name, which ends with the last process that has some of
/// it mapped, however that ends. Calls are ordered by the owner.
class HostSharedFile {
 public:
  HostSharedFile() = default;
  /// Its pieces were given back.
  ~HostSharedFile();
  HostSharedFile(const HostSharedFile&) = delete;
  HostSharedFile& operator=(const HostSharedFile&) = delete;

  /// Page-aligned, zeros. nullptr: the machine has no memory, or none of this kind.
  std::byte* take(std::size_t bytes);
  /// Frees a piece. A later access in this process ends it by a fault; other processes that map the piece read zeros.
  void give_back(std::byte* memory) noexcept;
  /// The place of a piece that take() gave.
  SharedPlace place_of(const std::byte* memory) const;

 private:
  struct Piece {
    std::size_t offset;
    std::size_t bytes;
  };
  bool is_open();

  int descriptor_ = -1;
  std::uint64_t number_ = 0;
  std::size_t end_ = 0;  // no offset is used again
  std::map<const std::byte*, Piece> pieces_;
};

}  // namespace kaon::gpu
