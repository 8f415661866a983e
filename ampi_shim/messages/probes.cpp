// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/probes.hpp"

#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/status.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

std::string describe(const MatchKey& wanted) {
  const std::string source = wanted.source == MPI_ANY_SOURCE ? "any rank" : "rank " + std::to_string(wanted.source);
  const std::string tag = wanted.tag == MPI_ANY_TAG ? "any tag" : "tag " + std::to_string(wanted.tag);
  return "from " + source + " with " + tag;
}

std::string ProbeWait::describe() const { return "in a probe for a message " + ampi::describe(wanted_); }

Arrived& probe(Rank& rank, const MatchKey& wanted) {
  Mailbox& mailbox = rank.part<Messages>().mailbox();
  for (;;) {
    if (Arrived* const message = mailbox.find(wanted)) return *message;
    current_strand().wait(ProbeWait(mailbox, wanted));  // another strand of this rank may be faster afterwards
  }
}

Arrived* probe_now(Rank& rank, const MatchKey& wanted) { return rank.part<Messages>().mailbox().find(wanted); }

void take_matched(Rank& rank, Arrived& message) {
  rank.part<Messages>().mailbox().take(message);
  message.set_matched();
}

void fill_status(const Envelope& envelope, MPI_Status& status) {
  status.MPI_SOURCE = envelope.key.source;
  status.MPI_TAG = envelope.key.tag;
  set_status_bytes(status, envelope.bytes);
}

}  // namespace kaon::ampi
