// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/devices/turn_wait.hpp"
#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::ampi {

class ReceiveRequest;

/// Data of a message on their way to a receive, where they or its memory are on a device: fetched from the sender, if
/// they are still there, and copied. Between devices of two processes they come straight into the program's memory
/// where that has room for them in one piece.
class DeviceArrival final : public Activity {
 public:
  static void start(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data);

  DeviceArrival(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data);

 private:
  ~DeviceArrival() override = default;
  void give_up() noexcept override;

  void go_on();
  bool fetch();
  bool copy();
  bool settle();
  void finish();
  Landing landing();
  ProgramData source(gpu::Stream& stream, bool is_for_copy);

  ReceiveRequest& receive_;
  Envelope envelope_;
  ProgramDevice& program_;
  Payload<std::byte> data_;
  bool has_landed_ = false;
  std::optional<TurnWait<FetchWait>> fetch_;
  std::optional<DeviceCopy> copy_;
  std::optional<TurnWait<gpu::PositionWait>> wait_;
};

}  // namespace kaon::ampi
