// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "kaon/ampi_shim/messages/request.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

class Rank;

/// The wait for one request that is active.
class RequestWait : public RequestObserver {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;

  explicit RequestWait(Request& request) : request_(request) {}
  RequestWait(const RequestWait&) = delete;
  RequestWait& operator=(const RequestWait&) = delete;

  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    waiter_ = &static_cast<StackWaiter&>(waiter);
    request_.observe(this);
    return false;
  }
  void give_up(Waiter&) noexcept { request_.observe(nullptr); }
  void take() {}
  void completed(Request&) override { waiter_->make_ready(); }
  std::string describe() const { return request_.describe(); }

 private:
  Request& request_;
  StackWaiter* waiter_ = nullptr;
};

// On a strand of the rank, which lets others run meanwhile. Entries may be nullptr or inactive; those are not waited
// for. What has ended is not told of yet: see Request::was_told.

/// Until all have completed.
void wait_for_all(Rank& rank, std::span<Request* const> requests);
/// Until one has completed, if any is active.
void wait_for_any(Rank& rank, std::span<Request* const> requests);
inline void wait_for(Rank&, Request& request) {
  if (request.is_active()) current_strand().wait(RequestWait(request));
}
/// On a strand of the rank, or not: after a call that has sent something and has not waited. A rank that only sends and
/// computes lets nobody else move the network, and what it sends to other processes would stay once the credits are
/// used up, or where there is no connection yet; nor does it let those run, on its PE, who take what it sends.
void let_leave(Rank& rank);
/// After a test that found nothing complete: lets others run.
void give_way(Rank& rank);

}  // namespace kaon::ampi
