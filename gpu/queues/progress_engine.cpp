// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/progress_engine.hpp"

#include <algorithm>
#include <utility>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/queues/adapter.kernels.hpp"

namespace kaon::gpu {

void ProgressEngine::set_segment(SegmentNumber number, const AdapterSegment& segment) {
  if (number >= segments_.size()) segments_.resize(number + std::size_t{1});
  if (segment.is_live != 0)
    segments_[number] = segment;
  else
    segments_[number].is_live = 0;
}

bool ProgressEngine::has_taken_changes() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.batches.empty(); });
}

void ProgressEngine::open(std::uint32_t slot, const AdapterQueue& queue) {
  while (slots_.size() <= slot) slots_.emplace_back();
  Slot& own = slots_[slot];
  own.queue = queue;
  own.progress = {};
  own.given = 0;
  own.stream.emplace(device_);
  own.fault.reset();
  own.status = RequestStatus::ok;
  own.is_open = true;
  own.is_closing = own.is_partner_gone = false;
}

void ProgressEngine::refuse(std::uint32_t slot) { slots_[slot].is_partner_gone = true; }

std::optional<RequestFault> ProgressEngine::take_fault(std::uint32_t slot) {
  return std::exchange(slots_[slot].fault, std::nullopt);
}

bool ProgressEngine::is_busy() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.is_open; });
}

bool ProgressEngine::progress() {
  bool has_happened = false;
  for (Slot& slot : slots_) {
    if (!slot.is_open) continue;
    has_happened |= end_batches(slot);
    has_happened |= take_requests(slot);
    const bool is_empty = slot.batches.empty() && HostWords::load(slot.queue.doorbell, Scope::system) == slot.given;
    if (!slot.is_closing || !is_empty) continue;
    slot.is_open = false;
    slot.stream.reset();
    has_happened = true;
  }
  return has_happened;
}

bool ProgressEngine::take_requests(Slot& slot) {
  const std::uint32_t doorbell = HostWords::load(slot.queue.doorbell, Scope::system);
  if (doorbell == slot.given || slot.batches.size() >= kMostPending) return false;
  const RequestStatus status = give_batch(slot, slot.given + std::min(doorbell - slot.given, kBatch));
  Batch& batch = slot.batches.emplace_back();
  batch.reached = slot.given;
  batch.status = status;
  batch.event = device_.stream_watcher().record(*slot.stream->here().stream);
  return true;
}

/// Ends behind an error, and behind a request that asks for a completion entry.
RequestStatus ProgressEngine::give_batch(Slot& slot, std::uint32_t up_to) {
  auto status = RequestStatus::ok;
  while (slot.given != up_to) {
    const WorkRequest request = slot.queue.request_at(slot.given);
    status = give(slot, request);
    const std::uint32_t index = slot.given++;
    if (status != RequestStatus::ok && slot.status == RequestStatus::ok) {
      slot.status = status;
      slot.fault = {request, index, status};
      break;
    }
    if ((request.control & WorkRequest::kIsSignalled) != 0) break;
  }
  return status;
}

RequestStatus ProgressEngine::give(Slot& slot, const WorkRequest& request) {
  if (slot.status != RequestStatus::ok) return RequestStatus::flushed;
  if (slot.is_partner_gone) return RequestStatus::partner_gone;
  const AdapterSegments segments{segments_.data(), static_cast<std::uint32_t>(segments_.size())};
  const RequestPlaces places = segments.resolve(request);
  if (places.status != RequestStatus::ok) return places.status;
  Stream& stream = *slot.stream;
  if (places.cell == nullptr && places.bytes > 0)
    stream.copy(Span<std::byte>(places.to, places.bytes), Span<const std::byte>(places.from, places.bytes));
  if (places.cell != nullptr || places.flag != nullptr) stream.launch({{1}, {1}}, RequestWordsKernel{places});
  return RequestStatus::ok;
}

bool ProgressEngine::end_batches(Slot& slot) {
  bool has_ended = false;
  Driver& driver = device_.driver();
  if (!slot.batches.empty()) has_ended = driver.advance();  // of an emulation without threads
  for (; !slot.batches.empty() && driver.is_reached(slot.batches.front().event.get()); slot.batches.pop_front()) {
    const Batch& batch = slot.batches.front();
    HostWords::fence(Scope::system);
    slot.progress.complete<HostWords>(slot.queue, batch.reached, batch.status);
    has_ended = true;
  }
  return has_ended;
}

}  // namespace kaon::gpu
