// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/held_launches.hpp"

#include <utility>

#include "kaon/gpu/device/device_load_meter.hpp"
#include "kaon/gpu/device/device_memory.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void HeldLaunches::hold(StreamState& stream, HeldLaunch& launch) {
  if (holding_.empty()) holding_time_.begin(driver_.is_stepped());
  holding_.push_back(&stream);
  stream.held->current = &launch;
  stream.held_from = stream.submitted;
}

// What waits for the kernels has its turn behind them: flags, which are counted as given, then an event for who awaits
// all of that, a mark for other PEs, and the memory that came back meanwhile.
void HeldLaunches::launch_now(StreamState& stream, LaunchCause cause) {
  HeldWork& held = *stream.held;
  std::erase(holding_, &stream);
  stream.held_from = StreamState::kNothing;
  driver_.make_current(stream.device);
  meter_.begin_held(stream);
  pe_.exchange().transfers().add_gathered(cause, held.current->count());
  held.current->launch(stream.native);
  meter_.end_held(stream);
  for (const RaisedFlag& flag : held.raised) driver_.write_flag(flag.word, flag.value, stream.native);
  held.raised.clear();
  watcher_.note_launched(stream);
  held.launched = stream.submitted;
  watcher_.mark({&stream, held.launched});  // so that give() learns when it is over
  if (std::exchange(held.is_for_others, false)) stream.mark_for_others(driver_);
  while (Block* block = held.freed) {
    held.freed = block->next;
    memory_.give_back(*block, {&stream, stream.submitted});
  }
}

// From the back, as those that are launched leave the list.
void HeldLaunches::give(bool more_may_come) {
  if (holding_.empty() || (more_may_come && !holding_time_.is_over())) return;
  const LaunchCause cause = more_may_come ? LaunchCause::time : LaunchCause::idle;
  for (std::size_t i = holding_.size(); i-- > 0;) {
    StreamState& stream = *holding_[i];
    const std::uint64_t last = stream.held->launched;
    if (stream.has_reached(last) || stream.has_written(last)) launch_now(stream, cause);
  }
}

void HeldLaunches::give_all() {
  while (!holding_.empty()) launch_now(*holding_.back(), LaunchCause::needed);
}

}  // namespace kaon::gpu
