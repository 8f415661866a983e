// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::runtime {

class PayloadTransfers;

/// The payloads of one PE that are still with their senders, because their post rules said later(). It owns them: one
/// that goes without having been fetched is rejected, that is received to be dropped, so that its sender's memory
/// becomes free.
class DeferredPayloads final : public PayloadOwner {
 public:
  explicit DeferredPayloads(PayloadTransfers& transfers) : transfers_(transfers) {}

  void add(PayloadRecord& record);
  void remove(PayloadRecord& record);
  PayloadTransfers& transfers() const { return transfers_; }
  bool empty() const { return records_.empty(); }
  /// On the thread of any PE of the process; the receive is this PE's.
  void release(PayloadRecord& record) noexcept override;
  /// For the end of the run: takes them off their senders. Their Payloads stay where they are, without data.
  void reject_all();
  /// Same as reject_all(), but receives nothing: the senders have begun another epoch and do not wait.
  void forget_all();

 private:
  struct RejectionElsewhere;
  void reject(PayloadRecord& record) noexcept;

  PayloadTransfers& transfers_;
  std::vector<PayloadRecord*> records_;
};

/// The wait for a payload that is fetched from its sender.
class FetchWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  FetchWait(PayloadRecord* record, const Landing& landing);

  bool is_ready() const noexcept { return record_ == nullptr; }
  bool start(Waiter& waiter);
  void give_up(Waiter& waiter) noexcept;
  void take() const noexcept {}
  std::string describe() const;

  class Fetch;  // the transfer, while it is under way

 private:
  PayloadRecord* record_;  // nullptr: it is here
  Landing landing_;
  Fetch* fetch_ = nullptr;
};

/// `co_await land(payload, landing)`: fetches into a landing, or with Landing::pooled() into a buffer of its own. A
/// payload that is here already is copied to the landing. One that is destroyed without having been fetched is
/// rejected: its sender's memory becomes free and the bytes go nowhere.
template <class T>
Awaitable<FetchWait> land(Payload<T>& payload, const Landing& landing) {
  return Awaitable<FetchWait>(payload.record(), landing);
}

}  // namespace kaon::runtime
