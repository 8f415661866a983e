// SPDX-License-Identifier: Apache-2.0
// How streams wait for each other.
#include <exception>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

void Device::wait(StreamState& stream, Position position) {
  if (position.is_known_reached()) return;
  if (position.stream->owner == this && position.stream->holds(position.count)) launch_now(*position.stream);
  if (position.stream == &stream) return;
  const bool is_own = stream.owner == this && !stream.is_foreign;  // whose waits are all known
  if (is_own && stream.waits.has(position.stream, position.count)) return;
  if (stream.owner == this && stream.is_holding()) launch_now(stream);  // what came before does not wait
  if (const NativeEvent marked = position.stream->owner == this ? nullptr : position.stream->marks.at(position.count)) {
    driver_.wait(stream.native, marked);
  } else {
    const StreamWatcher::Mark mark = stream_watcher_.mark_at(position);
    driver_.wait(stream.native, mark.event);
    position.count = mark.position;
  }
  if (is_own) stream.waits.add(position.stream, position.count);
  ++stream.submitted;
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
    if (landed.stream != block.landed_at.stream && !block.landed_at.is_known_reached()) {
      wait(*landed.stream, block.landed_at);
      landed.count = landed.stream->all_given();
    }
  } catch (...) {  // a fault of the device
    pe_.fail(std::current_exception());
  }
  block.landed_at = landed;
}

Position Device::follow(Position position) {
  StreamState& own = order_stream();
  wait(own, position);
  return {&own, own.submitted};
}

Position Device::follow_all(StreamState& stream) {
  StreamState& own = order_stream();
  driver_.wait(own.native, stream_watcher_.record(stream).get());
  return {&own, ++own.submitted};
}

}  // namespace kaon::gpu
