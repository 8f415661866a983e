// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/messages/mailbox.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

class Rank;

/// The wait for a message that a receive would get.
class ProbeWait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;

  ProbeWait(Mailbox& mailbox, const MatchKey& wanted) : mailbox_(mailbox), wanted_(wanted) {}
  bool is_ready() const { return mailbox_.find(wanted_) != nullptr; }
  bool start(Waiter& waiter) {
    waiter_ = &static_cast<StackWaiter&>(waiter);
    mailbox_.add(*this);
    return false;
  }
  void give_up(Waiter&) noexcept { mailbox_.remove(*this); }
  void take() const {}
  std::string describe() const;

  const MatchKey& wanted() const { return wanted_; }
  /// There is one; the mailbox has forgotten the wait.
  void has_come() { waiter_->make_ready(); }

  ProbeWait* next = nullptr;  // the mailbox's

 private:
  Mailbox& mailbox_;
  MatchKey wanted_;
  StackWaiter* waiter_ = nullptr;
};

/// The message that a receive of the calling rank would get, which stays; waits until there is one.
Arrived& probe(Rank& rank, const MatchKey& wanted);
/// nullptr: there is none.
Arrived* probe_now(Rank& rank, const MatchKey& wanted);
/// Takes a message out that a probe has found, for receive_matched(): it is the caller's.
void take_matched(Rank& rank, Arrived& message);
void fill_status(const Envelope& envelope, MPI_Status& status);

/// "from rank 3 with tag 7"
std::string describe(const MatchKey& wanted);

}  // namespace kaon::ampi
