// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/held_work.hpp"

#include <algorithm>
#include <utility>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void Device::hold(StreamState& stream, HeldLaunch& launch) {
  if (holding_.empty()) holding_time_.begin(driver_.is_stepped());
  holding_.push_back(&stream);
  stream.held->current = &launch;
  stream.held_from = stream.submitted;
}

// What waits for the kernels has its turn behind them: flags, which are counted as given, then an event for who awaits
// all of that, a mark for other PEs, and the memory that came back meanwhile.
void Device::launch_now(StreamState& stream, LaunchCause cause) {
  HeldWork& held = *stream.held;
  std::erase(holding_, &stream);
  stream.held_from = StreamState::kNothing;
  driver_.make_current(number_);
  load_meter_.begin_held(stream);
  pe_.exchange().transfers().add_gathered(cause, held.current->count());
  held.current->launch(stream.native);
  load_meter_.end_held(stream);
  for (const RaisedFlag& flag : held.raised) driver_.write_flag(flag.word, flag.value, stream.native);
  held.raised.clear();
  stream_watcher_.note_launched(stream);
  held.launched = stream.submitted;
  stream_watcher_.mark({&stream, held.launched});  // so that give_held() learns when it is over
  if (std::exchange(held.is_for_others, false)) mark_for_others(stream);
  while (Block* block = held.freed) {
    held.freed = block->next;
    return_block(*block, {&stream, stream.submitted});
  }
}

void Device::raise(StreamState& stream, RaisedFlag flag) {
  ++stream.submitted;
  if (stream.is_holding()) return stream.held->raised.push_back(flag);
  driver_.make_current(number_);
  driver_.write_flag(flag.word, flag.value, stream.native);
}

// From the back, as those that are launched leave the list.
void Device::give_held(bool more_may_come) {
  if (holding_.empty() || (more_may_come && !holding_time_.is_over())) return;
  const LaunchCause cause = more_may_come ? LaunchCause::time : LaunchCause::idle;
  for (std::size_t i = holding_.size(); i-- > 0;) {
    StreamState& stream = *holding_[i];
    const std::uint64_t last = stream.held->launched;
    if (stream.has_reached(last) || stream.has_written(last)) launch_now(stream, cause);
  }
}

void Device::give_all_held() {
  while (!holding_.empty()) launch_now(*holding_.back());
}

}  // namespace kaon::gpu
