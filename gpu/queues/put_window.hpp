// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/queues/send_queue.hpp"

namespace kaon::gpu {

/// One-sided puts from a local segment into a segment of the partner, by a queue pair, with notices that the partner's
/// kernels wait for. The calls are those of put and notify in partitioned global address spaces (GASPI, OpenSHMEM). By
/// one thread; posts of one queue are executed in their order, so a notice comes behind all puts before it.
struct PutWindow {
  SendQueue queue;
  SegmentNumber local = kNoSegment;
  SegmentNumber remote = kNoSegment;
  SegmentNumber notices = kNoSegment;  // words of the partner, which only grow

  /// Copies at most 4 GiB - 1 byte. The source may be changed behind quiet().
  template <class Context>
  KAON_DEVICE RequestStatus put(Context& at, std::uint64_t to, std::uint64_t from, std::uint32_t bytes) const {
    return queue.post(at, write(to, from, bytes)).status;
  }
  /// The same. Behind the data, word `notice` of the partner becomes `value`.
  template <class Context>
  KAON_DEVICE RequestStatus put_notify(Context& at, std::uint64_t to, std::uint64_t from, std::uint32_t bytes,
                                       std::uint16_t notice, std::uint32_t value) const {
    WorkRequest request = write(to, from, bytes);
    request.flags = notices;
    request.flag = notice;
    request.operand = value;
    return queue.post(at, request, StoredFields::all, Ring::now).status;
  }
  /// Behind all puts before, word `notice` of the partner becomes `value`.
  template <class Context>
  KAON_DEVICE RequestStatus notify(Context& at, std::uint16_t notice, std::uint32_t value) const {
    return put_notify(at, 0, 0, 0, notice, value);
  }
  /// Waits for a notice of the partner in this device's own words; false: not within 2 s.
  template <class Context>
  KAON_DEVICE static bool wait(Context& at, const std::uint32_t* own_notices, std::uint16_t notice,
                               std::uint32_t value) {
    return at.wait_for({const_cast<std::uint32_t*>(own_notices) + notice}, value);
  }
  /// Waits until all puts are done.
  template <class Context>
  KAON_DEVICE RequestStatus quiet(Context& at) const {
    return queue.quiet(at);
  }

 private:
  KAON_DEVICE WorkRequest write(std::uint64_t to, std::uint64_t from, std::uint32_t bytes) const {
    WorkRequest request;
    request.opcode = Opcode::write;
    request.local = local;
    request.remote = remote;
    request.local_offset = from;
    request.remote_offset = to;
    request.bytes = bytes;
    return request;
  }
};

}  // namespace kaon::gpu
