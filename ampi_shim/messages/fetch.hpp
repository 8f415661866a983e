// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::ampi {

class ReceiveRequest;

/// Data of a message that are still with their sender, on their way to a receive: straight into the program's memory
/// where that has room for them in one piece.
class Fetch final : public Activity {
 public:
  static void start(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data);

  Fetch(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data);

 private:
  /// The waiter that is resumed when the data have arrived.
  class Arrival final : public Waiter {
   public:
    Arrival(Fetch& fetch, PayloadRecord* record, const Landing& landing);
    void await();
    void give_up();

   private:
    static const WaitKind kKind;
    static void resumed(Work& self, Pe& pe);

    Fetch& fetch_;
    FetchWait operation_;
  };

  ~Fetch() override = default;
  void give_up() noexcept override;
  void has_come();

  ReceiveRequest& receive_;
  Envelope envelope_;
  Payload<std::byte> data_;
  std::byte* landing_;
  Arrival arrival_;
};

}  // namespace kaon::ampi
