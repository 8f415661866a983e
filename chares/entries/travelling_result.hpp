// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <utility>

#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::chares {

/// Its address tells types of results apart.
template <class V>
inline constexpr char kResultKind = 0;

/// A result for a receiver on this PE that another PE is to give: an entry that has the receiver of a broadcast's
/// results moves with its element, the receiver does not.
template <class V>
class TravellingResult final : public Activity {
 public:
  /// Where an entry on any PE may give what is for `to`.
  static ResultTo open(Pe& pe, const ResultTo& to) {
    if (to.receiver == nullptr) return to;
    auto& self = make<TravellingResult>(pe.activities(), pe.pool(), to);
    self.slot_ = pe.replies().open(self, self.result_);
    return {pe.id(), self.slot_};
  }

  explicit TravellingResult(const ResultTo& to) : to_(to) {
    run = [](Work& work, Pe& pe) { static_cast<TravellingResult&>(work).pass_on(pe); };
  }

  void give_up() noexcept override {
    this_pe().replies().abandon(slot_);
    end();
  }

 private:
  ~TravellingResult() override = default;

  void pass_on(Pe& pe) {
    const ResultTo to = to_;
    Result<V> result = std::move(result_);
    end();
    if (result.error())
      give_failure(pe, to, result.error());
    else
      give<V>(pe, to, result.take());
  }

  ResultTo to_;
  ReplyTo slot_;
  Result<V> result_;
};

}  // namespace kaon::chares
