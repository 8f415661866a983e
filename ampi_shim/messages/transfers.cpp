// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/transfers.hpp"

#include <array>

#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

namespace kaon::ampi {

int send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode) {
  int error = MPI_SUCCESS;
  if (!send_at_once(rank, to, data, mode)) {
    SendRequest request(rank, to, data, mode);
    request.start_waiting();
    wait_for(rank, request);
    error = request.error();
  }
  let_leave(rank);  // also a packed copy, for which nobody has waited
  return error;
}

int receive(Rank& rank, const MatchKey& from, const Incoming& memory, MPI_Status* status) {
  ReceiveRequest request(rank, from, memory);
  request.start();
  wait_for(rank, request);
  if (request.has_answered()) let_leave(rank);
  if (status != nullptr) *status = request.status();
  return request.error();
}

int send_receive(Rank& rank, const SendTo& to, const Outgoing& data, const MatchKey& from, const Incoming& memory,
                 MPI_Status* status) {
  ReceiveRequest receive(rank, from, memory);
  receive.start();
  if (send_at_once(rank, to, data, SendMode::standard)) {
    wait_for(rank, receive);
  } else {
    SendRequest send(rank, to, data, SendMode::standard);
    send.start_waiting();
    const std::array<Request*, 2> both{&receive, &send};
    wait_for_all(rank, both);
  }
  let_leave(rank);  // nobody has waited where the message to receive was there
  if (status != nullptr) *status = receive.status();
  return receive.error();
}

namespace {

Request& begin_send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode) {
  if (send_at_once(rank, to, data, mode)) return *new CompleteRequest(empty_status());
  auto& request = *new SendRequest(rank, to, data, mode);
  request.start_waiting();
  return request;
}

}  // namespace

Request& start_send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode) {
  Request& request = begin_send(rank, to, data, mode);
  let_leave(rank);
  return request;
}

Request& start_receive(Rank& rank, const MatchKey& from, const Incoming& memory) {
  auto& request = *new ReceiveRequest(rank, from, memory);
  request.start();
  if (request.has_answered()) let_leave(rank);
  return request;
}

Request& make_send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode) {
  return *new SendRequest(rank, to, data, mode, true);
}

Request& make_receive(Rank& rank, const MatchKey& from, const Incoming& memory) {
  return *new ReceiveRequest(rank, from, memory, true);
}

Request* begin_send(Rank& rank, const SendTo& to, const Outgoing& data, RequestObserver& observer) {
  if (send_at_once(rank, to, data, SendMode::standard)) return nullptr;
  auto& request = *new SendRequest(rank, to, data, SendMode::standard);
  request.start_waiting();
  if (request.is_complete()) {
    delete &request;
    return nullptr;
  }
  request.observe(&observer);
  return &request;
}

Request* begin_receive(Rank& rank, const MatchKey& from, const Incoming& memory, RequestObserver& observer,
                       MPI_Status* status) {
  auto& request = *new ReceiveRequest(rank, from, memory);
  request.start();
  if (request.is_complete() && request.error() == MPI_SUCCESS) {
    if (status != nullptr) *status = request.status();
    delete &request;
    return nullptr;
  }
  if (request.is_active()) request.observe(&observer);
  return &request;
}

}  // namespace kaon::ampi
