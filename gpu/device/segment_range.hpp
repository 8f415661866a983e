// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::gpu {

/// Memory of a PE's device as other PEs of the host find it: share_segment() makes it, messages carry it, and
/// open_segment() gives the address.
class SegmentRange {
 public:
  std::size_t bytes() const { return bytes_; }
  /// The process whose memory it is; -1: none's, as nobody has shared anything yet.
  int process() const { return process_; }
  /// The number of its device there.
  int device() const { return device_; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(process_, device_, exported_, offset_, bytes_, address_);
  }

 private:
  friend class Segments;
  std::int32_t process_ = -1;
  std::int32_t device_ = -1;         // its number in that process
  std::vector<std::byte> exported_;  // of the allocation that holds it: Driver::export_memory()
  std::uint64_t offset_ = 0;         // in that
  std::uint64_t bytes_ = 0;
  std::uint64_t address_ = 0;  // in that process
};

}  // namespace kaon::gpu
