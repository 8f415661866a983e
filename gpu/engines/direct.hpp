// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/completions.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::gpu {

class Device;

/// A payload between the memories of two devices: given to the port when the stream that its memory depends on has got
/// there.
class DirectTransfer final : public Activity {
 public:
  enum class Way : std::uint8_t { out, in };
  /// True: it has ended already, and `done` is not used.
  static bool start(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record, Work& done);

  DirectTransfer(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record, Work& done);

 private:
  ~DirectTransfer() override;
  bool give_to_port();
  void finish();
  void give_up() noexcept override;
  static void reached(Work& self, Pe& pe);
  static void moved(Work& self, Pe& pe);

  Device& device_;
  Way way_;
  PeId other_;
  std::uint32_t counter_;
  PayloadRecord& record_;
  Work& done_;
  std::uint64_t since_ = 0;
};

}  // namespace kaon::gpu
