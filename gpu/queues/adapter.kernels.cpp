// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/adapter.kernels.hpp"

#include "kaon/gpu/kernels/copy_bytes.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::gpu {

template <class Context>
KAON_DEVICE void BlockAdapterKernel::operator()(Context& at, Shared& shared) const {
  const auto slot_count = static_cast<std::uint32_t>(at.blocks().x);
  if (at.is_first()) shared.state = {0, 0, 0, static_cast<std::uint32_t>(at.block().x), slot_count};
  for (;;) {
    if (at.is_first()) shared.turn = next_turn(at, shared.state);
    at.sync();
    const Turn turn = shared.turn;
    if (turn.is_end) return;
    serve(at, shared, turn);
  }
}

// The host's words lie behind the bus: they are asked for seldom while requests come. They are read before the
// doorbells, so that a block which ends has left nothing that was rung before.
template <class Context>
KAON_DEVICE bool BlockAdapterKernel::look(Context& at, const State& state, unsigned looks, Look& found) const {
  using Words = typename Context::Words;
  constexpr unsigned kLooksBetween = 256, kTurnsBetween = 64;
  bool is_stopped = false;
  if (looks % kLooksBetween == 0 && (looks > 0 || state.turns % kTurnsBetween == 0)) {
    if (Words::load(&control->version, Scope::system) != state.version) {
      found = {Look::change, 0, 0};
      return true;
    }
    is_stopped = Words::load(&control->stop, Scope::system) != 0;
  }
  const auto blocks = static_cast<std::uint32_t>(at.blocks().x), own = static_cast<std::uint32_t>(at.block().x);
  for (std::uint32_t slot = state.next_slot; slot < state.slots; slot += blocks)
    if (look_at_slot(at, slot, found)) return true;
  for (std::uint32_t slot = own; slot < state.next_slot && slot < state.slots; slot += blocks)
    if (look_at_slot(at, slot, found)) return true;
  found = {Look::end, 0, 0};
  return is_stopped;
}

template <class Context>
KAON_DEVICE bool BlockAdapterKernel::look_at_slot(Context&, std::uint32_t slot, Look& found) const {
  using Words = typename Context::Words;
  const BlockQueue& own = queues[slot];
  if (own.is_open == 0) return false;
  const std::uint32_t doorbell = Words::load(own.queue.doorbell, Scope::system);
  const bool has_requests = doorbell != own.progress.taken;
  found = {has_requests ? Look::requests : Look::closing, slot, doorbell};
  return has_requests || own.is_closing != 0;
}

template <class Context>
KAON_DEVICE BlockAdapterKernel::Turn BlockAdapterKernel::next_turn(Context& at, State& state) const {
  using Words = typename Context::Words;
  ++state.turns;
  for (;;) {
    const Look found = at.template find<Look>([&](unsigned looks, Look& what) { return look(at, state, looks, what); });
    if (found.kind == Look::end) return {0, 0, true};
    if (found.kind == Look::change) {
      take_changes(at, state);
    } else if (found.kind == Look::closing) {
      queues[found.slot].is_open = 0;
      Words::store(&reports[found.slot].closed, queues[found.slot].opening, Scope::system);
    } else {
      state.next_slot = found.slot + static_cast<std::uint32_t>(at.blocks().x);
      const std::uint32_t taken = queues[found.slot].progress.taken, ready = found.doorbell - taken;
      return {found.slot, taken + (ready < kBatch ? ready : kBatch), false};
    }
  }
}

template <class Context>
KAON_DEVICE void BlockAdapterKernel::take_changes(Context& at, State& state) const {
  using Words = typename Context::Words;
  state.version = Words::load(&control->version, Scope::system);
  state.segments = Words::load(&control->segments, Scope::system);
  AdapterSegment* const own = own_segments(at);
  for (std::uint32_t i = 0; i < state.segments; ++i)
    own[i] = {shared_segments[i].memory, shared_segments[i].bytes,
              Words::load(&shared_segments[i].is_live, Scope::system)};
  state.slots = Words::load(&control->slots, Scope::system);
  const auto blocks = static_cast<std::uint32_t>(at.blocks().x);
  for (auto slot = static_cast<std::uint32_t>(at.block().x); slot < state.slots; slot += blocks) take_slot(at, slot);
  Words::store(&seen[at.block().x], state.version, Scope::system);
}

template <class Context>
KAON_DEVICE void BlockAdapterKernel::take_slot(Context&, std::uint32_t slot) const {
  using Words = typename Context::Words;
  BlockQueue& own = queues[slot];
  const std::uint32_t opening = Words::load(&slots[slot].opening, Scope::system);
  if (opening != own.opening) own = {slots[slot].queue, {}, opening, 1, 0, 0};
  own.is_closing = Words::load(&slots[slot].is_closing, Scope::system);
  own.is_partner_gone = Words::load(&slots[slot].is_partner_gone, Scope::system);
}

template <class Context>
KAON_DEVICE RequestPlaces BlockAdapterKernel::resolve(Context& at, State& state, BlockQueue& own,
                                                      const WorkRequest& request) const {
  using Words = typename Context::Words;
  RequestPlaces places;
  if (own.progress.status != RequestStatus::ok || own.is_partner_gone != 0) {
    places.status = own.progress.status != RequestStatus::ok ? RequestStatus::flushed : RequestStatus::partner_gone;
    return places;
  }
  places = AdapterSegments{own_segments(at), state.segments}.resolve(request);
  if (places.status != RequestStatus::bad_key || Words::load(&control->version, Scope::system) == state.version)
    return places;
  take_changes(at, state);  // the host may have added it just before
  return AdapterSegments{own_segments(at), state.segments}.resolve(request);
}

template <class Context>
KAON_DEVICE void BlockAdapterKernel::serve(Context& at, Shared& shared, const Turn& turn) const {
  using Words = typename Context::Words;
  BlockQueue& own = queues[turn.slot];
  const auto threads = at.threads().volume(), rank = at.threads().number(at.thread());
  std::uint32_t position = own.progress.taken;
  at.sync();  // all have read it before it changes
  for (; position != turn.up_to; ++position) {
    if (at.is_first()) *shared.places() = resolve(at, shared.state, own, own.queue.request_at(position));
    at.sync();
    const RequestPlaces places = *shared.places();
    if (places.cell == nullptr && places.bytes > 0) copy_bytes(places.to, places.from, places.bytes, rank, threads);
    Words::fence(Scope::system);  // the data before the flag and the completion, for other devices, too
    at.sync();
    if (at.is_first()) finish(at, own, turn.slot, position, places, position + 1 == turn.up_to);
    at.give_way();
  }
  at.sync();
}

template <class Context>
KAON_DEVICE void BlockAdapterKernel::finish(Context& at, BlockQueue& own, std::uint32_t slot, std::uint32_t position,
                                            const RequestPlaces& places, bool is_last) const {
  using Words = typename Context::Words;
  const WorkRequest& request = own.queue.request_at(position);
  if (places.status == RequestStatus::ok) store_words(at, places);
  if (places.status != RequestStatus::ok && own.progress.status == RequestStatus::ok) {
    own.progress.status = places.status;
    reports[slot].request = request;
    reports[slot].index = position;
    Words::store(&reports[slot].status, static_cast<std::uint32_t>(places.status), Scope::system);
  }
  const bool is_signalled = (request.control & WorkRequest::kIsSignalled) != 0;
  const bool is_first_error = places.status != RequestStatus::ok && places.status != RequestStatus::flushed;
  if (!is_last && !is_signalled && !is_first_error) return;
  Words::fence(Scope::system);
  own.progress.template complete<Words>(own.queue, position + 1, places.status);
}

template <class Context>
KAON_DEVICE void RequestWordsKernel::operator()(Context& at) const {
  using Words = typename Context::Words;
  if (!at.is_first()) return;
  Words::fence(Scope::system);  // the data, which the stream has copied, before the flag
  store_words(at, places);
}

template <class Context>
KAON_DEVICE void QueueFlushKernel::operator()(Context& at) const {
  if (at.is_first()) queue.flush(at);
}

}  // namespace kaon::gpu

KAON_KERNEL(kaon::gpu::BlockAdapterKernel);
KAON_KERNEL(kaon::gpu::RequestWordsKernel);
KAON_KERNEL(kaon::gpu::QueueFlushKernel);
