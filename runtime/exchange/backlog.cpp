// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/backlog.hpp"

#include <utility>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/overload.hpp"
#include "kaon/runtime/work/pause.hpp"

namespace kaon::runtime {

/// Stands in the run queue behind the messages of a batch.
class Backlog::Marker final : public Activity {
 public:
  Marker(Exchange& exchange, const UnpackedBatch& batch, bool is_given)
      : exchange_(exchange), batch_(batch), pause_(exchange.scheduler(), *this), is_given_(is_given) {
    priority = batch.priority;
    run = [](Work& self, Pe&) { static_cast<Marker&>(self).reached(); };
    exchange.backlog().ready_bytes_ += batch.bytes;
    // Messages that run last may not run for long, and urgent ones of the same sender wait behind their credits.
    if (batch.priority > 0 && !is_given_) pause_.begin();
  }
  ~Marker() override { exchange_.backlog().ready_bytes_ -= batch_.bytes; }

 private:
  friend Pause<Marker>;

  /// All that the batch brought has run.
  void reached() {
    is_reached_ = true;
    pause_.end();
    look();
  }
  void pause_is_over(Pe&) { look(); }
  void look() {
    Overload& overload = exchange_.scheduler().overload();
    if (!is_given_ && !(is_reached_ ? overload.may_give() : overload.may_trickle())) return pause_.begin();
    give();
    if (is_reached_) end();
  }
  void give() {
    if (std::exchange(is_given_, true)) return;
    if (!exchange_.is_closed()) exchange_.outbox(batch_.sender).give_back(batch_.credits);
  }

  Exchange& exchange_;
  UnpackedBatch batch_;
  Pause<Marker> pause_;
  bool is_reached_ = false;
  bool is_given_;
};

void Backlog::batch_is_unpacked(const UnpackedBatch& batch) {
  Scheduler& scheduler = exchange_.scheduler();
  const bool has_little = scheduler.ready_count() <= kLittle && ready_bytes_ + batch.bytes <= kLittleBytes;
  const bool is_given = has_little && !scheduler.overload().is_overloaded();
  if (is_given) {
    exchange_.outbox(batch.sender).give_back(batch.credits);
    if (batch.bytes <= kLightBytes) return;
  }
  scheduler.enqueue(Activity::make<Marker>(scheduler.activities(), scheduler.pool(), exchange_, batch, is_given));
}

}  // namespace kaon::runtime
