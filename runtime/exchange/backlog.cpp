// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/backlog.hpp"

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::runtime {

/// Stands in the run queue behind the messages of a batch.
class Backlog::Marker final : public Activity {
 public:
  Marker(Exchange& exchange, PeId sender) : exchange_(exchange), sender_(sender) {
    run = [](Work& self, Pe&) {
      auto& marker = static_cast<Marker&>(self);
      marker.exchange_.outbox(marker.sender_).batches_taken(1);
      marker.end();
    };
  }

 private:
  Exchange& exchange_;
  PeId sender_;
};

void Backlog::batch_is_unpacked(PeId sender) {
  Scheduler& scheduler = exchange_.scheduler();
  if (scheduler.ready_count() <= kLittle) return exchange_.outbox(sender).batches_taken(1);
  scheduler.enqueue(Activity::make<Marker>(scheduler.activities(), scheduler.pool(), exchange_, sender));
}

}  // namespace kaon::runtime
