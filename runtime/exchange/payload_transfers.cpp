// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/payload_transfers.hpp"

namespace kaon::runtime {

PayloadSend& PayloadTransfers::make_send(PayloadRecord& record, PeId to, std::uint32_t counter) {
  auto* send = new (scheduler_.pool().allocate(sizeof(PayloadSend))) PayloadSend;
  ++record.holders;
  if (record.kind == MemoryKind::device) this_accelerator()->prepare(to, record);
  send->record = &record;
  send->transfers = this;
  send->counter = counter;
  send->route = record.route;
  return *send;
}

void PayloadTransfers::start(PayloadSend& send, PeId to) {
  send.run = [](Work& self, Pe&) {
    auto& done = static_cast<PayloadSend&>(self);
    done.transfers->end(done);
  };
  PayloadRecord& record = *send.record;
  if (record.kind == MemoryKind::host) report_.add(Route::host, record.bytes);
  const bool is_sent = record.kind == MemoryKind::device
                           ? network_.accelerator->send(to, send.counter, send.route, record, send)
                           : network_.port->send_payload(to, send.counter, record.memory(), send);
  if (is_sent) end(send);
}

void PayloadTransfers::end(PayloadSend& send) {
  release_payload(send.record);
  scheduler_.pool().release(&send, sizeof(PayloadSend));
}

bool PayloadTransfers::receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) {
  if (record.kind == MemoryKind::device) return network_.accelerator->receive(from, counter, record, done);
  return network_.port->receive_payload(from, counter, record.memory(), done);
}

}  // namespace kaon::runtime
