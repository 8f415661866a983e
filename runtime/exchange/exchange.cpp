// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/exchange.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

Exchange::Exchange(Pe& pe, Scheduler& scheduler, CollectionTable& collections, RunningEntry& running,
                   const ExchangeSetup& setup)
    : pe_(pe),
      id_(scheduler.id()),
      setup_(setup),
      network_{nullptr, nullptr, setup.epoch},
      transfers_(scheduler, network_, setup.payload_counter_bits),
      outboxes_(scheduler, setup, network_, transfers_),
      deferred_(transfers_),
      backlog_(scheduler, outboxes_),
      arrivals_({pe, scheduler, collections, running, setup, network_, transfers_, deferred_, backlog_}) {}

Exchange::~Exchange() = default;

void Exchange::open(Machine& machine) {
  network_.port = machine.open_port(id_, *this);
  network_.port->begin_epoch(network_.epoch);
}

void Exchange::begin_epoch(std::uint8_t epoch) {
  network_.epoch = epoch;
  deferred_.forget_all();
  if (network_.port != nullptr) network_.port->begin_epoch(epoch);
}

void Exchange::clear() {
  arrivals_.clear();
  outboxes_.clear();
}

bool Exchange::is_sending() const {
  return (network_.port != nullptr && network_.port->is_sending()) ||
         (network_.accelerator != nullptr && network_.accelerator->is_moving());
}

bool Exchange::progress() {
  outboxes_.forget_held_back();
  bool has_moved = network_.accelerator != nullptr && network_.accelerator->progress();
  if (network_.port == nullptr) return has_moved;
  has_moved |= network_.port->progress();
  if (outboxes_.has_unsent()) outboxes_.flush();
  return has_moved;
}

bool Exchange::look() {
  if (network_.accelerator != nullptr && network_.accelerator->progress()) return true;
  return network_.port != nullptr && network_.port->progress();
}

bool Exchange::arm() {
  return (network_.accelerator == nullptr || network_.accelerator->arm()) &&
         (network_.port == nullptr || network_.port->arm());
}

std::chrono::nanoseconds Exchange::longest_sleep() const {
  return network_.accelerator != nullptr ? network_.accelerator->longest_sleep() : std::chrono::nanoseconds::max();
}

// --- batches

void Exchange::check_batch(const BatchHeader& header) const {
  if (header.secret != setup_.secret)
    throw CorruptMessage("a batch of messages came from a process that is not one of this run");
  if (header.source >= setup_.pes || setup_.is_local(header.source))
    throw CorruptMessage("a batch of messages claims to come from PE " + std::to_string(header.source));
}

void Exchange::batch_arrived(Lane lane, std::span<const std::byte> bytes) {
  BatchReader batch(bytes);
  const BatchHeader& header = batch.header();
  check_batch(header);
  if (header.epoch != network_.epoch) return;  // from before a rollback
  outboxes_.to(header.source).credits_returned(header.credits);
  if ((header.cost == 0) != (lane == Lane::control) || header.cost > setup_.credits)
    throw CorruptMessage("a batch of messages says that it used " + std::to_string(header.cost) + " credits");
  arrivals_.begin_batch(header.source, header.cost);
  for (WireMessage message; batch.next(message);) {
    if (((message.header.flags & kControlMessage) != 0) != (lane == Lane::control))
      throw CorruptMessage("a message came among those of another lane");
    arrivals_.accept(message);
  }
  arrivals_.end_batch();
}

}  // namespace kaon::runtime
