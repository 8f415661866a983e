// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/backlog.hpp"

#include <utility>

#include "kaon/runtime/exchange/outboxes.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/overload.hpp"
#include "kaon/runtime/work/pause.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// Stands in the run queue behind the messages of a batch.
class Backlog::Marker final : public Activity {
 public:
  Marker(Backlog& backlog, const UnpackedBatch& batch, bool is_given)
      : backlog_(backlog), batch_(batch), pause_(backlog.scheduler_, *this), is_given_(is_given) {
    priority = batch.priority;
    run = [](Work& self, Pe&) { static_cast<Marker&>(self).reached(); };
    backlog_.ready_bytes_ += batch.bytes;
    // Messages that run last may not run for long, and urgent ones of the same sender wait behind their credits.
    if (batch.priority > 0 && !is_given_) pause_.begin();
  }
  ~Marker() override { backlog_.ready_bytes_ -= batch_.bytes; }

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
    Overload& overload = backlog_.scheduler_.overload();
    if (!is_given_ && !(is_reached_ ? overload.may_give() : overload.may_trickle())) return pause_.begin();
    give();
    if (is_reached_) end();
  }
  void give() {
    if (std::exchange(is_given_, true)) return;
    if (backlog_.outboxes_.is_open()) backlog_.outboxes_.to(batch_.sender).give_back(batch_.credits);
  }

  Backlog& backlog_;
  UnpackedBatch batch_;
  Pause<Marker> pause_;
  bool is_reached_ = false;
  bool is_given_;
};

void Backlog::batch_is_unpacked(const UnpackedBatch& batch) {
  if (!outboxes_.is_open()) return;
  const bool has_little = scheduler_.ready_count() <= kLittle && ready_bytes_ + batch.bytes <= kLittleBytes;
  const bool is_given = has_little && !scheduler_.overload().is_overloaded();
  if (is_given) {
    outboxes_.to(batch.sender).give_back(batch.credits);
    if (batch.bytes <= kLightBytes) return;
  }
  scheduler_.enqueue(Activity::make<Marker>(scheduler_.activities(), scheduler_.pool(), *this, batch, is_given));
}

}  // namespace kaon::runtime
