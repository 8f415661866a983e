// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/direct_exchange.hpp"

#include <cstring>
#include <utility>

#include "kaon/ampi_shim/collectives/collective.hpp"
#include "kaon/ampi_shim/collectives/doubling.hpp"
#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

/// The wait for one of its messages.
class DirectExchange::Wait final : public RequestWait {
 public:
  Wait(Request& request, const DirectExchange& exchange) : RequestWait(request), exchange_(exchange) {}
  std::string describe() const { return describe_wait(exchange_.name_, exchange_.communicator_); }

 private:
  const DirectExchange& exchange_;
};

void DirectExchange::end(Request& request) {
  if (request.is_active()) current_strand().wait(Wait(request, *this));
  if (error_ == MPI_SUCCESS) error_ = request.error();
}

void DirectExchange::send(int to, const Piece& piece) {
  const SendTo where{communicator_.context(Traffic::collective), communicator_.group()[to], communicator_.rank(), tag_};
  const Outgoing data{piece.at, piece.count, piece.type};
  if (send_at_once(rank_, where, data, SendMode::standard)) return;
  SendRequest request(rank_, where, data, SendMode::standard);
  request.start_waiting();
  end(request);
}

void DirectExchange::receive(int from, const Piece& piece) {
  ReceiveRequest request(rank_, {communicator_.context(Traffic::collective), from, tag_},
                         {piece.at, piece.count, piece.type});
  request.start();
  end(request);
}

void DirectExchange::exchange(int to, const Piece& sent, int from, const Piece& received) {
  ReceiveRequest request(rank_, {communicator_.context(Traffic::collective), from, tag_},
                         {received.at, received.count, received.type});
  request.start();
  send(to, sent);
  end(request);
}

// Dissemination, as plan_barrier does it.
void DirectExchange::barrier(const Team& team) {
  const Piece nothing = bytes_at(nullptr, 0);
  for (int distance = 1; distance < team.size; distance *= 2)
    exchange(team.peer((team.rank + distance) % team.size), nothing,
             team.peer((team.rank - distance + team.size) % team.size), nothing);
}

bool DirectExchange::takes(const Reduction& reduction) {
  const Piece& value = reduction.result;
  const MPI_Count bytes = packed_bytes(value);
  return reduction.operation->is_predefined() && bytes > 0 && bytes <= static_cast<MPI_Count>(kMostBytes) &&
         value.type->is_run(value.count) && value.type->run_offset() == 0;
}

/// The value so far, which grows at both ends, and memory for what comes next. An operation writes over its right
/// argument, and what is of lower ranks is on its left.
class DirectExchange::Values {
 public:
  Values(const Operation& operation, const Piece& value)
      : operation_(operation), value_(value), spare_{memory_, value.count, value.type} {}
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  const Piece& value() const { return value_; }
  const Piece& spare() const { return spare_; }
  void put_lower() { combine(operation_, spare_.at, value_); }
  void put_higher() {
    combine(operation_, value_.at, spare_);
    std::swap(value_, spare_);
  }

 private:
  const Operation& operation_;
  Piece value_;
  Piece spare_;
  alignas(16) std::byte memory_[kMostBytes];
};

void DirectExchange::allreduce(const Team& team, const Operation& operation, const Piece& value) {
  const Doubling doubling(team.size);
  if (doubling.is_stood_for(team.rank)) {
    send(team.peer(team.rank + 1), value);
    return receive(team.peer(team.rank + 1), value);
  }
  Values values(operation, value);
  if (doubling.stands_for_other(team.rank)) {
    receive(team.peer(team.rank - 1), values.spare());
    values.put_lower();
  }
  const int me = doubling.member(team.rank);
  for (int bit = 1; bit < doubling.members; bit *= 2) {
    const int partner = doubling.rank_of(me ^ bit);
    exchange(team.peer(partner), values.value(), team.peer(partner), values.spare());
    if (partner < team.rank)
      values.put_lower();
    else
      values.put_higher();
  }
  if (doubling.stands_for_other(team.rank)) send(team.peer(team.rank - 1), values.value());
  if (values.value().at != value.at)
    std::memcpy(value.at, values.value().at, static_cast<std::size_t>(packed_bytes(value)));
}

}  // namespace kaon::ampi
