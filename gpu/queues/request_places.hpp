// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/kernels/quad.hpp"
#include "kaon/gpu/queues/work_request.hpp"

namespace kaon::gpu {

/// Memory that requests name by a number, as an adapter reaches it.
struct AdapterSegment {
  std::byte* memory = nullptr;
  std::uint64_t bytes = 0;
  std::uint32_t is_live = 0;  // a word, as kernels read it; 0: it was removed, or never added
};

/// The addresses of a request that was checked.
struct RequestPlaces {
  std::byte* to = nullptr;  // of an atomic: where the value before goes
  const std::byte* from = nullptr;
  std::uint64_t bytes = 0;    // to copy
  std::byte* cell = nullptr;  // of an atomic
  std::uint32_t* flag = nullptr;
  std::uint64_t operand = 0;
  RequestStatus status = RequestStatus::ok;
  bool is_wide = false;  // the atomic's word has 8 bytes
};

/// The segments of an adapter, by their numbers. Every request is checked here, whatever executes it.
struct AdapterSegments {
  const AdapterSegment* segments = nullptr;
  std::uint32_t count = 0;

  KAON_DEVICE RequestPlaces resolve(const WorkRequest& request) const {
    RequestPlaces places;
    places.operand = request.operand;
    if (request.opcode > Opcode::fetch_add) return refused(RequestStatus::bad_opcode);
    if (request.opcode == Opcode::nop) return places;
    std::byte* local = nullptr;
    std::byte* remote = nullptr;
    RequestStatus status = place(request.local, request.local_offset, request.bytes, local);
    if (status == RequestStatus::ok) status = place(request.remote, request.remote_offset, request.bytes, remote);
    if (status == RequestStatus::ok && request.flags != kNoSegment) status = find_flag(request, places.flag);
    if (status != RequestStatus::ok) return refused(status);
    if (request.opcode == Opcode::fetch_add) return atomic_places(request, local, remote, places);
    if (local < remote + request.bytes && remote < local + request.bytes) return refused(RequestStatus::overlap);
    places.to = request.opcode == Opcode::write ? remote : local;
    places.from = request.opcode == Opcode::write ? local : remote;
    places.bytes = request.bytes;
    return places;
  }

 private:
  KAON_DEVICE static RequestPlaces refused(RequestStatus status) {
    RequestPlaces places;
    places.status = status;
    return places;
  }
  KAON_DEVICE RequestStatus place(SegmentNumber number, std::uint64_t offset, std::uint64_t bytes,
                                  std::byte*& place) const {
    if (number >= count) return RequestStatus::bad_key;
    const AdapterSegment& segment = segments[number];
    if (segment.is_live == 0)
      return segment.memory == nullptr ? RequestStatus::bad_key : RequestStatus::removed_segment;
    if (offset > segment.bytes || bytes > segment.bytes - offset) return RequestStatus::out_of_range;
    place = segment.memory + offset;
    return RequestStatus::ok;
  }
  KAON_DEVICE RequestStatus find_flag(const WorkRequest& request, std::uint32_t*& flag) const {
    std::byte* word = nullptr;
    const RequestStatus status =
        place(request.flags, request.flag * sizeof(std::uint32_t), sizeof(std::uint32_t), word);
    flag = reinterpret_cast<std::uint32_t*>(word);
    return status;
  }
  KAON_DEVICE static RequestPlaces atomic_places(const WorkRequest& request, std::byte* local, std::byte* remote,
                                                 RequestPlaces places) {
    const bool is_of_word = request.bytes == sizeof(std::uint64_t) || request.bytes == sizeof(std::uint32_t);
    const auto both = reinterpret_cast<std::uintptr_t>(local) | reinterpret_cast<std::uintptr_t>(remote);
    if (!is_of_word || both % request.bytes != 0) return refused(RequestStatus::unaligned);
    if (local == remote) return refused(RequestStatus::overlap);
    places.to = local;
    places.cell = remote;
    places.is_wide = request.bytes == sizeof(std::uint64_t);
    return places;
  }
};

/// Executes the part of a request that is no copy, behind the data: the atomic, and the flag. By one thread.
template <class Context>
KAON_DEVICE void store_words(Context& at, const RequestPlaces& places) {
  using Words = typename Context::Words;
  if (places.cell != nullptr && places.is_wide) {
    auto* const cell = reinterpret_cast<std::uint64_t*>(places.cell);
    *reinterpret_cast<std::uint64_t*>(places.to) = Words::fetch_add(cell, places.operand, Scope::system);
  } else if (places.cell != nullptr) {
    auto* const cell = reinterpret_cast<std::uint32_t*>(places.cell);
    *reinterpret_cast<std::uint32_t*>(places.to) =
        Words::fetch_add(cell, static_cast<std::uint32_t>(places.operand), Scope::system);
  }
  if (places.flag != nullptr) at.raise_to({places.flag}, static_cast<std::uint32_t>(places.operand));
}

}  // namespace kaon::gpu
