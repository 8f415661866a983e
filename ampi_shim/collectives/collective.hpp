// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "kaon/ampi_shim/collectives/schedule.hpp"
#include "kaon/ampi_shim/communicators/communicator.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "kaon/ampi_shim/messages/request.hpp"

namespace kaon::ampi {

class Rank;

/// A collective of a communicator as one rank does it: a schedule over the messages of ranks, which is a request. All
/// members of a communicator queue theirs up in the same order. Its name is a literal.
class Collective final : public Request, private ScheduleOwner, private Transport, private RequestObserver {
 public:
  enum class Lifetime : bool { once, persistent };
  Collective(const char* name, Rank& rank, Communicator& communicator, Lifetime lifetime);
  /// One whose tag has been taken from the communicator's.
  Collective(const char* name, Rank& rank, Communicator& communicator, int tag);

  Rank& rank() const { return rank_; }
  Communicator& communicator() const { return *communicator_; }
  Schedule& schedule() { return schedule_; }
  // The program may free these while it is under way.
  void keep(const Datatype& type) { types_.emplace_back(const_cast<Datatype&>(type)); }
  void keep(const Operation& operation) { operation_ = OperationRef(operation); }
  /// One that it makes.
  void keep(Communicator& made) { made_ = &made; }

  /// Gives it its place among those of the communicator, before it is started first: when nothing is wrong with its
  /// arguments, so that a call which fails at one member, and is made again, meets the same call of the others.
  void queue_up();
  /// Begins it, for the first time or, if persistent, once more.
  void start() override;
  std::string describe() const override;

 private:
  // --- ScheduleOwner
  void ended(int error) override { complete(error); }
  bool may_call_program() override;
  void held_up() override;
  // --- Transport
  bool send(Side side, int peer, int tag, const Piece& piece, Completion& completion) override;
  bool receive(Side side, int peer, int tag, const Piece& piece, Completion& completion) override;
  bool copy(const Piece& from, const Piece& to, Completion& completion) override;
  // --- RequestObserver: a message
  void completed(Request& request) override;

  bool is_under_way(Request* request);
  void go_on_after(int error);

  const char* name_;
  Rank& rank_;
  CommunicatorRef communicator_;
  int tag_ = 0;
  bool is_switched_ = false;  // some of its memory is there only while the rank is switched in
  Schedule schedule_;
  std::vector<TypeRef> types_;
  OperationRef operation_;
  CommunicatorRef made_;
};

/// Describes the wait of a rank that is in this collective.
std::string describe_wait(const char* name, const Communicator& communicator);

/// Starts it, and waits until it has ended. Throws MpiFault when it has failed.
void run(Collective& collective);

}  // namespace kaon::ampi
