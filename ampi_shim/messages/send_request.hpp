// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/messages/request.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class Arrived;

/// Does a send that need not wait for its receiver: true when that is all of it. False: nothing was done.
bool send_at_once(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode);

/// Copies all of the data into memory of the host.
Payload<std::byte> copy_of(const Outgoing& data, std::size_t bytes);

/// A send whose data are still in the program's memory, or whose receiver has to answer.
class SendRequest final : public Request, private Work {
 public:
  SendRequest(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode, bool is_persistent = false);

  void start() override;
  /// Same as start(), after send_at_once() has returned false.
  void start_waiting();
  void cancel() override;
  std::string describe() const override;

  Rank& rank() const { return rank_; }
  /// The data that are sent: those of the program, or a copy.
  const Outgoing& data() const { return sent_; }
  /// A receiver of this PE has copied the data.
  void was_taken();
  /// Answers of other PEs, to the send of this PE that waits for it: there is a receive for its message, or the message
  /// was to be cancelled. Throw CorruptMessage if no send waits for such an answer.
  static void is_matched(Pe& pe, ReplyTo send);
  static void is_recalled(Pe& pe, ReplyTo send, bool has_gone);
  /// Its memory is free; from the thread of any PE of the process.
  void memory_is_free() noexcept;

 private:
  // Answers, as the PE's table of replies knows them.
  struct Matched {};
  struct Recalled {};

  template <class Answer>
  static SendRequest& take_answer(Pe& pe, ReplyTo send);
  template <class Answer>
  ReplyTo await_answer(Result<Answer>& answer);
  /// Ends a part of a send: a receive of another PE has matched it, or its memory is free.
  void part_has_ended();
  void recall_is_answered(bool has_gone);
  void keep_copy();
  void send_to_neighbour(Rank& peer);
  void send_away();
  void take_back();
  void ask_back();
  void send_from_device();
  void end();

  Rank& rank_;
  SendTo to_;
  Outgoing data_;
  Outgoing sent_;
  std::vector<std::byte> copy_;  // of thread-local variables: others have theirs there while they run
  TypeRef type_;
  SendMode mode_;
  int missing_ = 0;             // parts that have to end
  std::uint32_t sequence_ = 0;  // of a message to another PE
  bool is_asked_back_ = false;
  ReplyTo match_;  // that is awaited of a synchronous message to another PE
  Result<Matched> matched_;
  Result<Recalled> recalled_;
  Arrived* kept_ = nullptr;  // in the mailbox of a rank of this PE
};

}  // namespace kaon::ampi
