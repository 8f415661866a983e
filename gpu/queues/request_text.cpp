// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/request_text.hpp"

#include <fmt/format.h>

namespace kaon::gpu {
namespace {

std::string segment_text(const SegmentTable& segments, SegmentNumber number, std::uint64_t offset) {
  if (number >= segments.size()) return fmt::format("segment {}, which is none", number);
  return fmt::format("{} at offset {}", segments.name_of(number), offset);
}

const char* name_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::nop:
      return "nop";
    case Opcode::write:
      return "write";
    case Opcode::read:
      return "read";
    case Opcode::fetch_add:
      return "fetch_add";
  }
  return "unknown operation";
}

}  // namespace

std::string text_of(RequestStatus status) {
  switch (status) {
    case RequestStatus::ok:
      return "no error";
    case RequestStatus::bad_opcode:
      return "there is no such operation";
    case RequestStatus::bad_key:
      return "a segment is not in the adapter's table: use numbers that Adapter::add() or QueuePair::remote() returned";
    case RequestStatus::removed_segment:
      return "a segment was removed from the adapter, or its buffer was freed: keep it while requests use it";
    case RequestStatus::out_of_range:
      return "it is beyond the end of a segment";
    case RequestStatus::unaligned:
      return "an atomic takes words of 4 or 8 bytes (`bytes`) that are aligned to their size";
    case RequestStatus::overlap:
      return "its source and its target overlap";
    case RequestStatus::partner_gone:
      return "the partner has closed its queue pair: agree on the end before either closes";
    case RequestStatus::flushed:
      return "an earlier request of the queue had an error";
    case RequestStatus::no_room:
      return "the queue stayed full for 2 s: does its adapter run?";
    case RequestStatus::no_answer:
      return "it was not completed for 2 s: was the doorbell rung, and does the adapter run?";
  }
  return "unknown status";
}

std::string text_of(const RequestFault& fault, const SegmentTable& segments) {
  const WorkRequest& request = fault.request;
  const bool reads = request.opcode == Opcode::read;
  const std::string local = segment_text(segments, request.local, request.local_offset);
  const std::string remote = segment_text(segments, request.remote, request.remote_offset);
  std::string text =
      fmt::format("request {} (cookie {}), {} of {} bytes from {} to {}", fault.index, request.cookie,
                  name_of(request.opcode), request.bytes, reads ? remote : local, reads ? local : remote);
  if (request.flags != kNoSegment)
    text += fmt::format(", flag in {}", segment_text(segments, request.flags, request.flag * sizeof(std::uint32_t)));
  return text + ": " + text_of(fault.status);
}

}  // namespace kaon::gpu
