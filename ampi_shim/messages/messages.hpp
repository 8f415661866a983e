// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <utility>

#include "kaon/ampi_shim/messages/mailbox.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::ampi {

class Rank;

/// What a rank has of messages.
class Messages final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::messages;
  explicit Messages(Rank&) {}
  ~Messages() override;

  Mailbox& mailbox() { return mailbox_; }

  /// Of the next message to a rank of another PE.
  std::uint32_t next_sequence(int to);
  /// A message has come from another PE. One that comes before its turn is kept until then.
  void arrive(const Envelope& envelope, Payload<std::byte>&& data);

  /// A send waits for its receiver, or no longer.
  void send_waits() { ++waiting_sends_; }
  void send_has_ended() {
    if (--waiting_sends_ == 0 && last_wait_ != nullptr) std::exchange(last_wait_, nullptr)->make_ready();
  }
  /// On a strand of the rank: until no send waits any more, whoever has its request.
  void finish_sends();

 private:
  friend class LastSends;

  void deliver_early(int from, std::uint64_t count);
  void deliver(const Envelope& envelope, Payload<std::byte>&& data);

  Mailbox mailbox_;
  NumberMap<std::uint64_t> sent_;                            // by rank: how many
  NumberMap<std::uint64_t> taken_;                           // by rank: how many, in their order
  std::map<std::pair<int, std::uint32_t>, Arrived*> early_;  // by rank and sequence
  int waiting_sends_ = 0;
  StackWaiter* last_wait_ = nullptr;
};

}  // namespace kaon::ampi
