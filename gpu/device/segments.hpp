// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/device/segment_range.hpp"

namespace kaon::gpu {

class Device;
struct Region;

/// A slab of a process' device memory as another process of the host finds it, in a form that fits into a notice.
struct SlabPlace {
  static constexpr std::size_t kMostBytes = 80;
  std::int32_t process = -1;
  std::int32_t device = -1;  // its number there
  std::uint32_t bytes = 0;   // of what was exported
  std::array<std::byte, kMostBytes> exported{};
  friend bool operator==(const SlabPlace&, const SlabPlace&) = default;
};

/// Device memory of a process that kernels of other PEs of the host read and write, and what it has of theirs. The end
/// of a mapping waits for all that the device does, which may be the kernel that uses it; so what was mapped once stays
/// to the end of the run, and so do the slabs in which anything was shared. Any thread.
class Segments {
 public:
  explicit Segments(Driver& driver) : driver_(driver) {}
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  /// The devices are idle.
  ~Segments();

  /// By the device's PE. Throws UsageError for what is no buffer of that device's memory.
  SegmentRange share(Device& device, const void* memory, std::size_t bytes);
  /// By the device's PE: the address by which its kernels reach the range. Throws GpuError when they do not, UsageError
  /// for a range that nobody shared.
  void* open(Device& device, const SegmentRange& range);
  /// The same of a slab of another process, whole. Of no bytes: others cannot map it.
  SlabPlace place_of(Device& device, const Region& region);
  std::byte* open(Device& device, const SlabPlace& slab);
  /// False when the buffer behind the range was freed. Of another process' buffer this is not known: true. By the
  /// device's PE.
  bool is_live(Device& device, const SegmentRange& range) const;

 private:
  /// A device of ours, and what another process has exported.
  using Import = std::pair<int, std::vector<std::byte>>;
  const std::vector<std::byte>& export_of(const Region& region);
  std::byte* open_here(Device& device, const SegmentRange& range);
  std::byte* import(Device& device, const SegmentRange& range);

  Driver& driver_;
  std::mutex lock_;                                             // guards all below
  std::map<const std::byte*, std::vector<std::byte>> exports_;  // of slabs, by their base
  std::map<Import, ImportedMemory> imports_;
};

}  // namespace kaon::gpu
