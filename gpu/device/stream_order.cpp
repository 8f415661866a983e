// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/stream_order.hpp"

#include <cassert>

#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/follower_stream.hpp"
#include "kaon/gpu/device/held_launches.hpp"
#include "kaon/gpu/device/stream_pool.hpp"
#include "kaon/gpu/kernels/flag_wait.kernels.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

StreamOrder::StreamOrder(Card& card, const Device& owner, runtime::Pe& pe, StreamWatcher& watcher, StreamPool& streams,
                         HeldLaunches& held)
    : card_(card), driver_(card.driver()), owner_(owner), pe_(pe), watcher_(watcher), streams_(streams), held_(held) {}

StreamState& StreamOrder::order_stream() {
  if (order_stream_ == nullptr) order_stream_ = &streams_.take_of_runtime();
  return *order_stream_;
}

void StreamOrder::wait(StreamState& stream, Position position) {
  if (position.is_known_reached()) return;
  if (position.stream->owner == &owner_ && position.stream->holds(position.count)) held_.launch(*position.stream);
  if (position.stream == &stream) return;
  const bool may_wait_for_flag = position.may_wait_for_flag();
  assert(!(stream.is_of_runtime && may_wait_for_flag) && "work of all chares would wait for a flag");
  const bool is_own = stream.owner == &owner_ && !stream.is_foreign;  // whose waits are all known
  if (is_own && stream.waits.has(position.stream, position.count)) return;
  if (stream.owner == &owner_) held_.launch(stream);  // what came before does not wait
  if (position.is_open_ended()) card_.free_gate().announce(stream);
  if (const NativeEvent marked =
          position.stream->owner == &owner_ ? nullptr : position.stream->marks.at(position.count)) {
    driver_.wait(stream.native, marked);
  } else {
    const StreamWatcher::Mark mark = watcher_.mark_at(position);
    driver_.wait(stream.native, mark.event);
    position.count = mark.position;
  }
  if (is_own) stream.waits.add(position.stream, position.count);
  ++stream.submitted;
  if (may_wait_for_flag) [[unlikely]]
    stream.note_flag_wait();
}

void StreamOrder::wait_flag(StreamState& stream, const std::uint32_t* word, std::uint32_t k) {
  held_.launch(stream);
  driver_.make_current(card_.number());
  card_.free_gate().announce(stream);
  if (kStreamsKnowTheCircle || card_.is_emulated())
    driver_.wait_flag(word, k, stream.native);
  else
    launch(driver_.backend(), stream.native, {{1}, {1}}, FlagWaitKernel{{const_cast<std::uint32_t*>(word)}, k});
  ++stream.submitted;
  stream.note_flag_wait();
}

void StreamOrder::raise(StreamState& stream, RaisedFlag flag) {
  ++stream.submitted;
  if (stream.is_holding()) return stream.held->raised.push_back(flag);
  driver_.make_current(card_.number());
  driver_.write_flag(flag.word, flag.value, stream.native);
}

void StreamOrder::mark_for_others(StreamState& stream) {
  if (pe_.process().local_pes() == 1) return;
  if (stream.is_holding())
    stream.held->is_for_others = true;
  else
    stream.mark_for_others(driver_);
}

// The first one's stream may be another chare's by now.
Position StreamOrder::behind_both(Position first, Position other) {
  StreamState& own = other.may_wait_for_flag() ? streams_.take() : *first.stream;
  wait(own, first);
  wait(own, other);
  const Position behind{&own, own.all_given()};
  if (&own != first.stream) streams_.give_back(own);
  return behind;
}

Position StreamOrder::follow(Position position) {
  const FollowerStream follower(streams_, {position}, order_stream());
  StreamState& own = follower.state();
  wait(own, position);
  return {&own, own.submitted};
}

Position StreamOrder::follow_all(StreamState& stream) {
  const bool may_wait_for_flag = stream.may_wait_for_flag();
  StreamState& own = may_wait_for_flag ? streams_.take() : order_stream();
  if (stream.is_open_ended()) card_.free_gate().announce(own);
  driver_.wait(own.native, watcher_.record(stream).get());
  ++own.submitted;
  const Position behind{&own, own.submitted};
  if (may_wait_for_flag) {
    own.note_flag_wait();
    streams_.give_back(own);
  }
  return behind;
}

}  // namespace kaon::gpu
