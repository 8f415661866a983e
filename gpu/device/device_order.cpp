// SPDX-License-Identifier: Apache-2.0
// How streams wait for each other, and who may use one that waits for a flag.
#include <algorithm>
#include <cassert>
#include <exception>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/follower_stream.hpp"
#include "kaon/gpu/kernels/flag_wait.kernels.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

void Device::wait(StreamState& stream, Position position) {
  if (position.is_known_reached()) return;
  if (position.stream->owner == this && position.stream->holds(position.count)) launch_now(*position.stream);
  if (position.stream == &stream) return;
  const bool may_wait_for_flag = position.may_wait_for_flag();
  assert(!(stream.is_of_runtime && may_wait_for_flag) && "work of all chares would wait for a flag");
  const bool is_own = stream.owner == this && !stream.is_foreign;  // whose waits are all known
  if (is_own && stream.waits.has(position.stream, position.count)) return;
  if (stream.owner == this && stream.is_holding()) launch_now(stream);  // what came before does not wait
  if (position.is_open_ended()) begin_open_ended(stream);
  if (const NativeEvent marked = position.stream->owner == this ? nullptr : position.stream->marks.at(position.count)) {
    driver_.wait(stream.native, marked);
  } else {
    const StreamWatcher::Mark mark = stream_watcher_.mark_at(position);
    driver_.wait(stream.native, mark.event);
    position.count = mark.position;
  }
  if (is_own) stream.waits.add(position.stream, position.count);
  ++stream.submitted;
  if (may_wait_for_flag) [[unlikely]]
    stream.note_flag_wait();
}

void Device::wait_flag(StreamState& stream, const std::uint32_t* word, std::uint32_t k) {
  launch_held(stream);
  driver_.make_current(number_);
  begin_open_ended(stream);
  if (kStreamsKnowTheCircle || card_.is_emulated())
    driver_.wait_flag(word, k, stream.native);
  else
    launch(driver_.backend(), stream.native, {{1}, {1}}, FlagWaitKernel{{const_cast<std::uint32_t*>(word)}, k});
  ++stream.submitted;
  stream.note_flag_wait();
}

void Device::mark_for_others(StreamState& stream) {
  if (pe_.process().local_pes() == 1) return;
  if (stream.is_holding())
    stream.held->is_for_others = true;
  else
    stream.marks.add(driver_, stream.device, stream.native, stream.submitted);
}

// Several may land in one buffer, on different streams: the latest waits for those before it.
void Device::note_landing(Block& block, Position landed) noexcept {
  if (landed.is_known_reached()) return;
  try {
    if (landed.stream != block.landed_at.stream && !block.landed_at.is_known_reached())
      landed = behind_both({landed.stream, landed.stream->all_given()}, block.landed_at);
  } catch (...) {  // a fault of the device
    pe_.fail(std::current_exception());
  }
  block.landed_at = landed;
}

// The first one's stream may be another chare's by now.
Position Device::behind_both(Position first, Position other) {
  StreamState& own = other.may_wait_for_flag() ? take_stream() : *first.stream;
  wait(own, first);
  wait(own, other);
  const Position behind{&own, own.all_given()};
  if (&own != first.stream) give_back(own);
  return behind;
}

Position Device::follow(Position position) {
  const FollowerStream follower(*this, {position}, order_stream());
  StreamState& own = follower.state();
  wait(own, position);
  return {&own, own.submitted};
}

Position Device::follow_all(StreamState& stream) {
  const bool may_wait_for_flag = stream.may_wait_for_flag();
  StreamState& own = may_wait_for_flag ? take_stream() : order_stream();
  if (stream.is_open_ended()) begin_open_ended(own);
  driver_.wait(own.native, stream_watcher_.record(stream).get());
  ++own.submitted;
  const Position behind{&own, own.submitted};
  if (may_wait_for_flag) {
    own.note_flag_wait();
    give_back(own);
  }
  return behind;
}

// --- streams that nobody uses

// Of those that may wait for a flag, one whose wait is over.
StreamState* Device::take_free(StreamPriority priority) {
  std::vector<StreamState*>& free = free_streams_[static_cast<std::size_t>(priority)];
  if (!free.empty()) {
    StreamState* const stream = free.back();
    free.pop_back();
    return stream;
  }
  const auto over = std::find_if(waiting_streams_.begin(), waiting_streams_.end(), [&](const WaitingStream& each) {
    return each.stream->priority == priority && driver_.is_reached(each.behind_wait.get());
  });
  if (over == waiting_streams_.end()) return nullptr;
  StreamState* const stream = over->stream;
  stream->note_reached(stream->flag_wait.load(std::memory_order_relaxed));
  waiting_streams_.erase(over);
  return stream;
}

StreamState& Device::take_runtime_stream(StreamPriority priority) {
  StreamState& stream = take_stream(priority);
  stream.is_of_runtime = true;
  return stream;
}

// Of a stream that is not ours an event is recorded now: later it may be gone. Who gets one that waits for a flag would
// wait, too, and perhaps raise that flag.
void Device::give_back(StreamState& stream) {
  if (stream.is_foreign) {
    if (stream.adopters > 1) {
      --stream.adopters;
      return;
    }
    stream_watcher_.mark({&stream, stream.all_given()});
    stream.adopters = 0;
    return;
  }
  if (!stream.may_wait_for_flag()) [[likely]]
    return free_streams_[static_cast<std::size_t>(stream.priority)].push_back(&stream);
  waiting_streams_.push_back({&stream, stream_watcher_.record(stream)});
}

}  // namespace kaon::gpu
