// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <utility>
#include <vector>

#include "kaon/ampi_shim/messages/mailbox.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

class Rank;

/// The messages of a rank: its mailbox, their order, and the sends that wait.
class Messages final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::messages;
  explicit Messages(Rank& rank) : rank_(rank) {}
  ~Messages() override;

  Mailbox& mailbox() { return mailbox_; }

  /// The sequence number of the next message to a rank of another PE.
  std::uint32_t next_sequence(int to);
  /// A message has come from another PE. One that comes before its turn is kept until then.
  void arrive(const Envelope& envelope, Payload<std::byte>&& data);
  /// The same of one whose data are inside of it, for as long as this runs.
  void arrive(const Envelope& envelope, const std::byte* data);
  /// One is the next for its receive: whose turn it is, or from a rank of this PE.
  void deliver(const Envelope& envelope, Payload<std::byte>&& data);

  /// The sender of a message from another PE wants it back.
  void give_back(const Recall& recall);

  /// A send waits for its receiver, or no longer.
  void send_waits() { ++waiting_sends_; }
  void send_has_ended() {
    if (--waiting_sends_ == 0 && last_wait_ != nullptr) std::exchange(last_wait_, nullptr)->make_ready();
  }
  /// On a strand of the rank: until no send waits any more, whoever has its request.
  void finish_sends();

 private:
  friend class LastSends;

  void deliver_early(int from);
  bool is_recalled(const Envelope& envelope);

  /// Messages to and from one rank so far; those from it that have been taken in their order.
  struct Counts {
    std::uint32_t sent = 0;
    std::uint32_t taken = 0;
  };

  Rank& rank_;
  Mailbox mailbox_;
  boost::unordered_flat_map<int, Counts> counts_;            // by rank, of other PEs
  std::map<std::pair<int, std::uint32_t>, Arrived*> early_;  // by rank and sequence
  std::vector<Recall> recalls_;                              // of messages that have yet to come
  int waiting_sends_ = 0;
  StackWaiter* last_wait_ = nullptr;
};

}  // namespace kaon::ampi
