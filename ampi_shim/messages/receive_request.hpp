// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/messages/arrived.hpp"
#include "kaon/ampi_shim/messages/request.hpp"

namespace kaon::ampi {

class Rank;
struct ProgramData;

/// A receive: posted in its rank's mailbox until a message comes, then until its data are in the program's memory.
class ReceiveRequest final : public Request, public QueueNode {
 public:
  ReceiveRequest(Rank& rank, const MatchKey& wanted, const Incoming& memory, bool is_persistent = false);

  void start() override;
  void cancel() override;
  std::string describe() const override;
  /// Same as start(), with a message that a matched probe has taken; the message is consumed.
  void start_with(Arrived& message);

  // The message that it gets. Both complete it, now or when the data have come.
  /// From memory of a rank of this PE, which runs unless none of it is a thread-local variable.
  void take(const Envelope& envelope, const Outgoing& from);
  void take(const Envelope& envelope, Payload<std::byte>&& data);
  /// From a message that has its data inside.
  void take(const Envelope& envelope, const std::byte* data);

  /// The landing for so many bytes that are still with their sender; nullptr: they come into a buffer at first.
  std::byte* landing_for(std::size_t bytes) const;
  /// They have come: into the landing, or into `data`.
  void has_landed(const Envelope& envelope) { end(envelope); }
  void has_come(const Envelope& envelope, Payload<std::byte>&& data);

  /// Its memory, as copies to and from devices take it.
  ProgramData elements() const;
  std::size_t room() const { return memory_.bytes(); }

  /// True if the sender was notified that its message is matched: the notification then has to leave.
  bool has_answered() const { return has_answered_; }

  Rank& rank() const { return rank_; }
  const MatchKey& wanted() const { return wanted_; }

  // The mailbox's.
  std::uint64_t number = 0;  // in the order of posting
  ReceiveRequest* next_wild = nullptr;
  ReceiveRequest* before_wild = nullptr;

 private:
  void take_kept(Arrived& message);
  void unpack(const std::byte* from, std::size_t bytes) const;
  void end(const Envelope& envelope);

  Rank& rank_;
  MatchKey wanted_;
  Incoming memory_;
  TypeRef type_;
  bool is_switched_;  // some of its memory is there only while the rank is switched in: thread-local variables
  bool is_posted_ = false;
  bool has_answered_ = false;
  bool is_on_device_ = false;  // its memory
};

}  // namespace kaon::ampi
