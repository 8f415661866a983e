// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/collective.hpp"

#include <memory>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

namespace {

int tag_for(Communicator& communicator, Collective::Lifetime lifetime) {
  const bool is_persistent = lifetime == Collective::Lifetime::persistent;
  return is_persistent ? communicator.next_persistent_tag() : communicator.next_collective_tag();
}

/// How many schedules go on inside each other on this thread.
thread_local int depth = 0;
constexpr int kDeepest = 16;

Traffic traffic_of(Side side) { return side == Side::peers ? Traffic::collective : Traffic::local_group; }

}  // namespace

Collective::Collective(const char* name, Rank& rank, Communicator& communicator, Lifetime lifetime)
    : Request(lifetime == Lifetime::persistent),
      name_(name),
      rank_(rank),
      communicator_(&communicator),
      tag_(tag_for(communicator, lifetime)) {
  owner = communicator.handle();
}

void Collective::start() {
  begin();
  if (schedule_.start(*this, tag_, *this)) complete(schedule_.error());
}

std::string Collective::describe() const {
  const std::string& name = communicator_->name;
  return std::string("for the others in ") + name_ + (name.empty() ? "" : " of " + name);
}

bool Collective::may_call_program() { return current_rank_or_null() == &rank_; }

void Collective::held_up() {
  rank_.start_strand([this] { schedule_.go_on(); });
}

bool Collective::send(Side side, int peer, int tag, const Piece& piece, Completion&) {
  const Communicator& communicator = *communicator_;
  const Group& group = side == Side::peers ? communicator.peers() : communicator.group();
  const SendTo to{communicator.context(traffic_of(side)), group[peer], communicator.rank(), tag};
  return !is_under_way(begin_send(rank_, to, {piece.at, piece.count, piece.type}, *this));
}

bool Collective::receive(Side side, int peer, int tag, const Piece& piece, Completion&) {
  const MatchKey from{communicator_->context(traffic_of(side)), peer, tag};
  return !is_under_way(begin_receive(rank_, from, {piece.at, piece.count, piece.type}, *this));
}

// A receive may have failed at once, of which nobody is told.
bool Collective::is_under_way(Request* request) {
  if (request == nullptr) return false;
  if (!request->is_complete()) return true;
  const std::unique_ptr<Request> ended(request);
  schedule_.note_error(ended->error());
  return false;
}

// A message to a rank of the same PE may complete a receive there, whose schedule then sends its next one, and so on:
// that is cheap, but on somebody's stack. A schedule is on it once at most, yet there may be a thousand ranks.
void Collective::completed(Request& request) {
  const int error = request.error();
  delete &request;
  if (depth == kDeepest) {
    rank_.start_strand([this, error] { schedule_.completed(error); });
    return;
  }
  ++depth;
  schedule_.completed(error);
  --depth;
}

void run(Collective& collective) {
  collective.start();
  wait_for(collective.rank(), collective);
  if (collective.error() != MPI_SUCCESS)
    throw MpiFault(collective.error(), "a message of it did not come as it should");
}

}  // namespace kaon::ampi
