// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/collective.hpp"

#include <algorithm>
#include <memory>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"
#include "kaon/ampi_shim/ranks/switched_in.hpp"

namespace kaon::ampi {

namespace {

/// How many schedules go on inside each other on this thread.
thread_local int depth = 0;
constexpr int kDeepest = 16;

bool uses_thread_locals(const Schedule& schedule, const Rank& rank) {
  const std::span<const std::byte> variables = rank.thread_locals();
  if (variables.empty()) return false;
  return schedule.has_piece([&](const Piece& piece) {
    return Outgoing{piece.at, piece.count, piece.type}.meets(variables);
  });
}

Traffic traffic_of(Side side) { return side == Side::peers ? Traffic::collective : Traffic::local_group; }

}  // namespace

Collective::Collective(const char* name, Rank& rank, Communicator& communicator, Lifetime lifetime)
    : Request(lifetime == Lifetime::persistent), name_(name), rank_(rank), communicator_(&communicator) {
  owner = communicator.handle();
}

Collective::Collective(const char* name, Rank& rank, Communicator& communicator, int tag)
    : Request(false), name_(name), rank_(rank), communicator_(&communicator), tag_(tag) {
  owner = communicator.handle();
}

void Collective::queue_up() {
  is_switched_ = uses_thread_locals(schedule_, rank_);
  tag_ = is_persistent() ? communicator_->next_persistent_tag() : communicator_->next_collective_tag();
}

void Collective::start() {
  begin();
  if (schedule_.start(*this, tag_, *this)) complete(schedule_.error());
}

std::string describe_wait(const char* name, const Communicator& communicator) {
  return std::string("for the others in ") + name + (communicator.name.empty() ? "" : " of " + communicator.name);
}

std::string Collective::describe() const { return describe_wait(name_, *communicator_); }

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

bool Collective::copy(const Piece& from, const Piece& to, Completion& completion) {
  const auto is_on_device = [this](const Piece& piece) {
    return is_in_device_memory(rank_, piece.at, piece.count, piece.type);
  };
  const auto elements = [&](const Piece& piece) {
    return ProgramData{piece.at, piece.count, piece.type, is_on_device(piece)};
  };
  if (!is_on_device(from) && !is_on_device(to)) return Transport::copy(from, to, completion);
  const MPI_Count bytes = std::min(packed_bytes(from), packed_bytes(to));
  const auto end = [](void* told) { static_cast<Completion*>(told)->completed(MPI_SUCCESS); };
  if (bytes == 0) return true;
  return start_copy(rank_, elements(to), elements(from), static_cast<std::size_t>(bytes), end, &completion);
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
  go_on_after(error);
  --depth;
}

void Collective::go_on_after(int error) {
  if (!is_switched_) return schedule_.completed(error);
  const SwitchedIn switched(rank_);
  schedule_.completed(error);
}

void run(Collective& collective) {
  collective.start();
  wait_for(collective.rank(), collective);
  if (collective.error() != MPI_SUCCESS)
    throw MpiFault(collective.error(), "a message of it did not come as it should");
}

}  // namespace kaon::ampi
