// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/queue_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/queues/adapter.kernels.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kDoorbellBytes = 128;  // a line of its own

const QueuePairOptions& checked(const QueuePairOptions& options) {
  constexpr std::uint32_t kMostDepth = 1u << 16;
  if (!std::has_single_bit(options.depth) || options.depth > kMostDepth)
    throw UsageError(fmt::format("gpu::QueuePair: a depth of {} requests; it is a power of two, {} at most",
                                 options.depth, kMostDepth));
  return options;
}

SharedFlags& shared_flags(Device& device) { return payloads_of(device).platform().shared_flags(); }

}  // namespace

QueueState::QueueState(Device& device, StreamMemory::Kind memory, const QueuePairOptions& options, std::uint32_t number)
    : options_(checked(options)),
      is_pinned_(memory == StreamMemory::Kind::pinned),
      device_(device),
      stream_(device),
      words_(QueueWords::kLine * QueueWords::kLines, stream_),
      closed_(stream_),
      closed_place_(shared_flags(device).take()),
      own_closed_(shared_flags(device).open(closed_place_)) {
  std::byte* const rings = place_rings();
  stream_.fill(words_.span(), 0);
  const std::size_t requests = std::size_t{options.depth} * sizeof(WorkRequest);
  queue_.requests = reinterpret_cast<WorkRequest*>(rings);
  queue_.completions = reinterpret_cast<Quad*>(rings + requests);
  queue_.doorbell = reinterpret_cast<std::uint32_t*>(rings + ring_bytes() - kDoorbellBytes);
  queue_.words = {words_.data()};
  queue_.depth = options.depth;
  queue_.number = number;
  queue_.ring_every = options.ring_every;
  queue_.is_shared = options.is_shared;
  behind_fill_ = device.stream_watcher().record(*stream_.here().stream);
}

std::byte* QueueState::place_rings() {
  if (is_pinned_) {
    pinned_rings_ = Pinned<std::byte>(ring_bytes(), stream_);
    std::memset(pinned_rings_.span().data(), 0, ring_bytes());
    return pinned_rings_.span().data();
  }
  device_rings_ = Buffer<std::byte>(ring_bytes(), stream_);
  stream_.fill(device_rings_.span(), 0);
  return device_rings_.data();
}

std::size_t QueueState::ring_bytes() const {
  return options_.depth * (sizeof(WorkRequest) + sizeof(Quad)) + kDoorbellBytes;
}

std::size_t QueueState::device_bytes() const {
  return words_.size() * sizeof(std::uint32_t) + (is_pinned_ ? 0 : ring_bytes());
}

AdapterQueue QueueState::for_adapter() const {
  return {queue_.requests, const_cast<Quad*>(queue_.completions), queue_.doorbell, queue_.depth, queue_.number};
}

void QueueState::prefill(const WorkRequest& request) {
  if (is_pinned_) {
    std::fill_n(queue_.requests, queue_.depth, request);
    return;
  }
  const Pinned<WorkRequest> image(queue_.depth, stream_);
  std::fill_n(image.span().data(), queue_.depth, request);
  stream_.copy(Span<WorkRequest>(queue_.requests, queue_.depth), image);
}

void QueueState::begin_close() {
  if (behind_flush_ != nullptr || stage_ > Stage::open) return;
  stream_.launch({{1}, {1}}, QueueFlushKernel{queue_});
  behind_flush_ = device_.stream_watcher().record(*stream_.here().stream);
  if (stage_ == Stage::open) stage_ = Stage::flushing;
}

bool QueueState::has_reached(StreamWatcher::OwnedEvent& event) {
  device_.driver().advance();  // of an emulation without threads
  if (!device_.driver().is_reached(event.get())) return false;
  event.reset();
  return true;
}

// An adapter that looked at a doorbell before it is 0 would take what the memory had before for requests.
bool QueueState::look(AdapterEngine& engine) {
  if (stage_ == Stage::opening) {
    if (!has_reached(behind_fill_)) return false;
    engine.open(number(), for_adapter());
    stage_ = behind_flush_ != nullptr ? Stage::flushing : Stage::open;
    return true;
  }
  const bool is_partner_gone =
      !has_refused_ && partner_closed_ != nullptr && HostWords::load(partner_closed_, Scope::system) != 0;
  if (is_partner_gone) {
    has_refused_ = true;
    engine.refuse(number());
  }
  if (stage_ == Stage::flushing && has_reached(behind_flush_)) {
    engine.close(number());
    stage_ = Stage::closing;
    return true;
  }
  if (stage_ == Stage::closing && engine.is_closed(number())) {
    stage_ = Stage::closed;
    // The word stays to the end of the run: the partner may look at it.
    HostWords::store(own_closed_, 1, Scope::system);
    closed_.raise();
    return true;
  }
  return is_partner_gone;
}

}  // namespace kaon::gpu
