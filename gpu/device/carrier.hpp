// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace kaon::gpu {

/// A few bytes of device memory that are to be copied.
struct Cargo {
  const std::byte* from;  // of a device that this one reaches
  std::byte* to;
  std::uint32_t bytes;
  std::uint32_t* done;  // becomes 1 behind the copy: a word of pinned memory; nullptr: none
};

/// A kernel that runs on a PE's device and copies what it is asked to, in that order: without a launch, which takes
/// longer than such a copy. Called by the PE's thread alone.
class Carrier {
 public:
  /// Throws GpuError when its kernel cannot be started. Gives the number of the cargo; release() is called when its
  /// end was seen.
  virtual std::uint32_t carry(const Cargo& cargo) = 0;
  /// True if the cargo of this number has been copied.
  virtual bool has_carried(std::uint32_t number) const = 0;
  virtual void release() noexcept = 0;

 protected:
  ~Carrier() = default;
};

}  // namespace kaon::gpu
