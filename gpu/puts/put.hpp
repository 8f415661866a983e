// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace kaon::gpu {

/// A segment, by its number in a SegmentTable.
using SegmentNumber = std::uint16_t;
inline constexpr SegmentNumber kNoSegment = 0xffff;

/// A copy from one segment to another, and the flag that it raises behind the data. 0 bytes are legal: the flag alone
/// is raised. Offsets and sizes have any alignment and may exceed 4 GiB.
///
/// The value of the flag is an argument of each start, and not a part of the put.
struct Put {
  SegmentNumber from = kNoSegment;
  SegmentNumber to = kNoSegment;
  SegmentNumber flags = kNoSegment;  // a segment of words; kNoSegment: no flag is raised
  std::uint16_t flag = 0;            // the word there
  std::uint64_t bytes = 0;
  std::uint64_t from_offset = 0;
  std::uint64_t to_offset = 0;
};
static_assert(sizeof(Put) == 32, "it fits into the arguments of an entry of a device");

/// The reason why no more puts of a list are started.
enum class PutFault : std::uint32_t {
  none,
  copy_does_not_end,
  copy_does_not_start,
  does_not_run_again,
  no_room,
  no_such_put,
  engine_has_ended,
};

/// The words that the engine and the host exchange, in pinned memory.
struct PutReport {
  std::uint32_t fault = 0;  // a PutFault; stored last
  std::uint32_t put = 0;    // that was to start then
  std::uint32_t stop = 0;   // by the host: not 0, and the engine ends when the ring is empty
};

/// The addresses of a put that was checked.
struct PutPlaces {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t bytes = 0;
  std::uint32_t* flag = nullptr;  // nullptr: none
  SegmentNumber from_segment = kNoSegment;
  SegmentNumber to_segment = kNoSegment;
};

}  // namespace kaon::gpu
