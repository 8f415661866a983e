// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "kaon/gpu/device/memory.hpp"
#include "kaon/gpu/device/work_meter.hpp"
#include "kaon/runtime/payloads/device_meter.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

/// The load that one PE puts on its device. Its times are measured only while an array of the PE is balanced: else each
/// piece of work costs one comparison.
class DeviceLoadMeter final : public runtime::DeviceMeter {
 public:
  DeviceLoadMeter(Driver& driver, int device, const runtime::Pe& pe, const Memory& memory)
      : driver_(driver), device_(device), pe_(pe), memory_(memory) {}
  DeviceLoadMeter(const DeviceLoadMeter&) = delete;
  DeviceLoadMeter& operator=(const DeviceLoadMeter&) = delete;
  ~DeviceLoadMeter() = default;

  /// The stream is about to be given a piece of work, or holds one back since now.
  void note_work(const StreamState& stream) {
    if (work_ != nullptr) [[unlikely]]
      note(stream, false);
  }
  void note_held(const StreamState& stream) {
    if (work_ != nullptr) [[unlikely]]
      note(stream, true);
  }
  /// Around the launch of what a stream holds back.
  void begin_held(const StreamState& stream) {
    if (work_ != nullptr) work_->begin_held(stream);
  }
  void end_held(const StreamState& stream) {
    if (work_ != nullptr) work_->end_held(stream);
  }

  // --- DeviceMeter
  void time_turns(bool are_timed) override;
  void end_turn(const runtime::WorkGiver& giver) override;
  std::vector<runtime::GivenWork> take() override;
  runtime::DeviceRoom room() const override;

 private:
  void note(const StreamState& stream, bool is_held);

  Driver& driver_;
  int device_;
  const runtime::Pe& pe_;
  const Memory& memory_;
  std::unique_ptr<WorkMeter> work_;  // nullptr: nothing is timed
};

}  // namespace kaon::gpu
