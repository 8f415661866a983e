// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/ampi_shim/collectives/plans.hpp"
#include "kaon/ampi_shim/communicators/communicator.hpp"

namespace kaon::ampi {

class Rank;
class Request;

/// A small collective that blocks, at once: by messages of the strand that runs, with all that it needs on the stack,
/// and no schedule. These are the messages that plans.hpp writes down for the same team, so that each member may take
/// the one way or the other.
class DirectExchange {
 public:
  /// The most bytes of a value that allreduce() takes.
  static constexpr std::size_t kMostBytes = 1024;
  /// True if allreduce() takes this reduction: a predefined operation on 1 to kMostBytes bytes without gaps.
  static bool takes(const Reduction& reduction);

  /// Acts for a rank of this PE, not necessarily the one that runs. `name` is a literal. Nothing of it outlives a call.
  DirectExchange(const char* name, Rank& rank, Communicator& communicator, int tag)
      : name_(name), rank_(rank), communicator_(communicator), tag_(tag) {}
  DirectExchange(const DirectExchange&) = delete;
  DirectExchange& operator=(const DirectExchange&) = delete;

  void barrier(const Team& team);
  /// The value becomes the result.
  void allreduce(const Team& team, const Operation& operation, const Piece& value);

  /// The error of the first message that failed, or MPI_SUCCESS.
  int error() const { return error_; }

 private:
  class Wait;
  class Values;

  void send(int to, const Piece& piece);
  void receive(int from, const Piece& piece);
  /// Both at once.
  void exchange(int to, const Piece& sent, int from, const Piece& received);
  void end(Request& request);

  const char* const name_;
  Rank& rank_;
  Communicator& communicator_;
  const int tag_;
  int error_ = MPI_SUCCESS;
};

}  // namespace kaon::ampi
