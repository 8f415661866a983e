// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kaon/gpu/puts/put.hpp"
#include "kaon/gpu/segment.hpp"

namespace kaon::gpu {

class Flag;

/// The memory that puts of this PE's device read and write, by small numbers: buffers of this device, ranges that other
/// PEs share, and flags of the host. It checks each put on the host, so that a wrong number or range is an error with
/// names and never a fault of the device.
///
/// The owner of the memory keeps it while puts use it. Belongs to a PE, and is used by that PE's thread.
class SegmentTable {
 public:
  SegmentTable();
  SegmentTable(const SegmentTable&) = delete;
  SegmentTable& operator=(const SegmentTable&) = delete;

  /// Adds a buffer of this PE's device. `name` is for errors. Throws UsageError for a buffer without memory.
  template <class T>
  SegmentNumber add(std::string name, const Buffer<T>& buffer) {
    return add(std::move(name), share_segment(buffer));
  }
  /// Adds what share_segment() gave, here or on another PE of the host. Throws GpuError when the device does not reach
  /// it.
  SegmentNumber add(std::string name, const SegmentRange& range);
  /// Adds the word of a flag that tasks of this PE, or kernels, wait for. A put that raises it is its only raiser.
  SegmentNumber add(std::string name, const Flag& flag);
  /// Refuses puts to and from this segment from now on. Its number is not given again.
  void remove(SegmentNumber number);
  std::size_t size() const { return segments_.size(); }
  /// For errors: its number and its name.
  std::string name_of(SegmentNumber number) const;
  /// The range of a segment, for others to open; empty for a flag. Throws UsageError for a number that is none.
  const SegmentRange& range(SegmentNumber number) const { return find(number, "range()").range; }
  /// The memory of a segment, as this PE's device reaches it. Throws UsageError as range() does.
  Span<std::byte> memory(SegmentNumber number) const;
  /// False when the segment was removed, or a buffer of this process behind it was freed.
  bool is_live(SegmentNumber number) const;

  /// Throws UsageError for a put beyond a segment, from or to memory that was freed or removed, with overlapping source
  /// and target, or with a flag inside its target. Freed memory of another process is not noticed, nor a
  /// flag that has ended.
  PutPlaces resolve(const Put& put) const;

 private:
  struct Segment {
    std::string name;
    SegmentRange range;  // empty for a flag
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
    bool is_removed = false;
  };
  SegmentNumber add(Segment segment);
  const Segment& find(SegmentNumber number, const char* use) const;
  std::byte* place(SegmentNumber number, std::uint64_t offset, std::uint64_t bytes, const char* use) const;
  std::uint32_t* flag_of(const Put& put) const;

  Device& device_;
  std::vector<Segment> segments_;
};

}  // namespace kaon::gpu
