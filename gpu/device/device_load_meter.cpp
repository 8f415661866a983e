// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device_load_meter.hpp"

#include <algorithm>

#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void DeviceLoadMeter::time_turns(bool are_timed) {
  if (are_timed && work_ == nullptr) work_ = std::make_unique<WorkMeter>(driver_, device_);
  if (!are_timed) work_ = nullptr;
}

void DeviceLoadMeter::note(const StreamState& stream, bool is_held) {
  if (pe_.turn_meter().element() == nullptr) return;
  if (is_held)
    work_->hold(stream);
  else
    work_->begin(stream);
}

void DeviceLoadMeter::end_turn(const runtime::WorkGiver& giver) {
  if (work_ != nullptr) work_->end_turn(giver);
}

std::vector<runtime::GivenWork> DeviceLoadMeter::take() {
  return work_ != nullptr ? work_->take() : std::vector<runtime::GivenWork>{};
}

// What this PE keeps for its next buffers is in use for the arena.
runtime::DeviceRoom DeviceLoadMeter::room() const {
  constexpr std::size_t kReserve = std::size_t{4} << 20;
  const std::size_t most = memory_.arena().settings().most_bytes, used = memory_.arena().facts().used_bytes;
  const std::size_t reserve =
      kReserve + most / 16;  // of slabs that are cut otherwise, and for what programs take meanwhile
  const std::size_t taken = used - std::min(memory_.kept_bytes(), used) + reserve;
  return {device_, most > taken ? most - taken : 0};
}

}  // namespace kaon::gpu
