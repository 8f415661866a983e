// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/messages/request.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class Arrived;

/// Does a send that need not wait for its receiver: true when that is all of it. False: nothing was done.
bool send_at_once(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode);

/// A send whose data are still in the program's memory, or whose receiver has to answer.
class SendRequest final : public Request, private Work {
 public:
  SendRequest(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode, bool is_persistent = false);

  void start() override;
  /// As start(), after send_at_once() has said that it must wait.
  void start_waiting();
  void cancel() override;
  std::string describe() const override;

  Rank& rank() const { return rank_; }
  const Outgoing& data() const { return data_; }
  /// A receiver of this PE has copied the data.
  void was_taken();
  /// Of a message to another PE: there is a receive for it, or its memory is free.
  void part_has_ended();
  /// Its memory is free; from the thread of any PE of the process.
  void memory_is_free() noexcept;

 private:
  void send_to_neighbour(Rank& peer);
  void send_away();
  void end();

  Rank& rank_;
  SendTo to_;
  Outgoing data_;
  TypeRef type_;
  SendMode mode_;
  int missing_ = 0;          // parts that have to end
  Arrived* kept_ = nullptr;  // in the mailbox of a rank of this PE
};

}  // namespace kaon::ampi
