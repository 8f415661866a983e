// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/outboxes.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

Outboxes::Outboxes(Scheduler& scheduler, const ExchangeSetup& setup, NetworkEnd& network, PayloadTransfers& transfers)
    : context_{scheduler,    network, transfers,
               setup.secret, {},      WaitingBytes(setup.queue_limit),
               {},           false,   {scheduler.id(), scheduler.pool(), transfers, {}, {}}},
      credits_(setup.credits),
      outboxes_(setup.pes) {}

Outbox& Outboxes::to(PeId pe) {
  if (outboxes_[pe] == nullptr) {
    if (!is_open()) throw UsageError("PE " + std::to_string(pe) + " is in another process, but there is no network");
    outboxes_[pe] = std::make_unique<Outbox>(context_, pe, credits_);
  }
  return *outboxes_[pe];
}

void Outboxes::flush() {
  // by index: a flush may make another outbox dirty
  for (std::size_t i = 0; i < context_.dirty.size(); ++i) context_.dirty[i]->flush();
  context_.dirty.clear();
}

}  // namespace kaon::runtime
