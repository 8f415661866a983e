// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/puts/put.hpp"

namespace kaon::gpu {

/// The operation of a WorkRequest. `write` copies local memory to remote memory, `read` the other way. `fetch_add` adds
/// the operand to a remote word of 4 or 8 bytes and stores the value before it in local memory.
enum class Opcode : std::uint8_t { nop, write, read, fetch_add };

/// The result of a request, as kernels and the host see it. The last two are of a kernel that has waited for 2 s.
enum class RequestStatus : std::uint32_t {
  ok,
  bad_opcode,
  bad_key,          // no such segment
  removed_segment,  // or its buffer was freed
  out_of_range,
  unaligned,  // a word of an atomic, or an atomic of neither 4 nor 8 bytes
  overlap,    // source and target
  partner_gone,
  flushed,    // not executed, because an earlier request of the queue had an error
  no_room,    // the queue stayed full
  no_answer,  // the request was not completed
};

/// A request of a queue pair: 64 bytes, in four pieces of 16 that a thread stores at once. Those that change from
/// request to request lie in the second and the third; the others are stored once, by QueuePair::prefill().
///
/// Segments are numbers of the adapter's table. A flag is raised behind the data, to the lower half of the operand.
/// Requests carry no mark of validity: the doorbell tells which are valid. So a slot that is reused keeps its constant
/// fields. The form is that
/// of work queue elements of the InfiniBand architecture.
struct alignas(64) WorkRequest {
  /// In `control`: a completion entry follows at once, and not at the end of the batch.
  static constexpr std::uint8_t kIsSignalled = 1;

  Opcode opcode = Opcode::nop;
  std::uint8_t control = 0;
  std::uint16_t flag = 0;  // the word in `flags`
  SegmentNumber local = kNoSegment;
  SegmentNumber remote = kNoSegment;
  SegmentNumber flags = kNoSegment;  // a segment of words; kNoSegment: none is raised
  std::uint16_t reserved = 0;
  std::uint32_t bytes = 0;

  std::uint64_t local_offset = 0;
  std::uint64_t remote_offset = 0;

  std::uint64_t operand = 0;  // the value of the flag, or what is added
  std::uint64_t cookie = 0;   // the program's own; errors show it

  std::uint64_t unused[2] = {};
};
static_assert(sizeof(WorkRequest) == 64 && alignof(WorkRequest) == 64);
static_assert(offsetof(WorkRequest, opcode) == 0 && offsetof(WorkRequest, control) == 1);
static_assert(offsetof(WorkRequest, flag) == 2 && offsetof(WorkRequest, local) == 4);
static_assert(offsetof(WorkRequest, remote) == 6 && offsetof(WorkRequest, flags) == 8);
static_assert(offsetof(WorkRequest, bytes) == 12 && offsetof(WorkRequest, local_offset) == 16);
static_assert(offsetof(WorkRequest, remote_offset) == 24 && offsetof(WorkRequest, operand) == 32);
static_assert(offsetof(WorkRequest, cookie) == 40 && offsetof(WorkRequest, unused) == 48);

}  // namespace kaon::gpu
