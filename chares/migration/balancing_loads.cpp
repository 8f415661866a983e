// SPDX-License-Identifier: Apache-2.0
// What one PE says of the elements of a balanced array.
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/chares/migration/gossip.hpp"
#include "kaon/chares/migration/meters.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace {

/// Elements that were made here less those that ended here: the sum over all PEs is how many there are, those on their
/// way included. Of a sparse array those count whose insertion has begun, where it began: before whoever inserts them
/// does anything else.
std::int64_t population_of(ElementTable& table) {
  if (table.is_sparse()) return table.census().all();
  return static_cast<std::int64_t>(table.elements().count()) - table.elements().moved_in();
}

/// What an element takes along in the memory of its device.
std::uint64_t device_bytes_of(const ElementTable& table, ElementBase& element) {
  std::vector<runtime::PayloadRecord*> payloads;
  Writer counted = Writer::collector(payloads);
  table.type().pack(element, counted);
  std::uint64_t bytes = counted.device_bytes();
  for (const runtime::PayloadRecord* payload : payloads)
    if (payload != nullptr && payload->kind == runtime::MemoryKind::device) bytes += payload->bytes;
  return bytes;
}

}  // namespace

void Balancing::count_traffic(bool is_counted) {
  if (std::exchange(counts_traffic_, is_counted) != is_counted) meters::look_at_traffic(table_.pe());
}

// Also that of other arrays, which are asked at other times.
void Balancing::take_device_times() {
  Pe& pe = table_.pe();
  if (!pe.has_accelerator()) return;
  for (const runtime::GivenWork& each : pe.accelerator().meter().take()) {
    const ElementTable* const table = find_table(pe.collections(), each.giver.collection);
    Balancing* const balancing = table != nullptr ? mover_of(*table).find_part<Balancing>() : nullptr;
    if (balancing != nullptr) balancing->meter().add_of_device(each.giver.element, each.seconds);
  }
}

DeviceMemory Balancing::device_memory() const {
  Pe& pe = table_.pe();
  if (!pe.has_accelerator()) return {};
  constexpr int kMostOfProcess = 1 << 12;
  const runtime::DeviceRoom room = pe.accelerator().meter().room();
  return {pe.process().seat().process * kMostOfProcess + room.device, room.bytes};
}

ElementLoad Balancing::load_of(std::uint64_t element, bool can_move) const {
  ElementLoad load{element, meter_.seconds(element), table_.pe().id(), static_cast<std::uint8_t>(can_move ? 1 : 0)};
  if (!table_.pe().has_accelerator()) return load;
  load.device_seconds = meter_.device_seconds(element);
  load.seconds += load.device_seconds;
  load.device_bytes = device_bytes_of(table_, *table_.find(element));
  for (const bonds::Mate& mate : bonds::mates_of(table_, element))
    load.device_bytes += device_bytes_of(mate.table, mate.element);
  return load;
}

std::vector<ElementLoad> Balancing::loads_of_barrier() const {
  std::vector<ElementLoad> loads;
  loads.reserve(at_barrier_.size());
  for (const Waiting& each : waiting_)
    if (each.is_there()) loads.push_back(load_of(each.element, can_leave(each)));
  return loads;
}

std::vector<ElementLoad> Balancing::loads_of_all() const {
  std::vector<ElementLoad> loads;
  loads.reserve(table_.elements().count());
  table_.elements().each([&](const ElementBase& element) {
    const std::uint64_t number = table_.number_of(element);
    loads.push_back(load_of(number, !awaits(number)));
  });
  return loads;
}

void Balancing::answer(const LoadQuestion& question) {
  const bool is_of_barrier = question.is_of_barrier != 0;
  const bool is_early = is_of_barrier && is_stepping_;  // it came before the end of the step before it
  is_of_barrier_ = is_of_barrier;
  if (is_of_barrier && !is_early) answered_ = waiting_.size();
  take_device_times();
  LoadAnswer answer;
  answer.pe = table_.pe().id();
  answer.version = ++version_;
  answer.population = population_of(table_);
  answer.changes = changes_;
  answer.memory = device_memory();
  if (is_of_barrier && !is_early) answer.arrived = at_barrier_.size();
  answer.is_complete = !is_stepping_ && at_barrier_.size() == table_.elements().count() ? 1 : 0;
  if (question.wants_loads != 0 && (!is_of_barrier || answer.is_complete != 0)) {
    answer.elements = is_of_barrier ? loads_of_barrier() : loads_of_all();
    answer.traffic = meter_.traffic();
  }
  for (const ElementLoad& each : answer.elements) answer.seconds += each.seconds;
  if (question.wants_elements == 0) answer.elements.clear();
  count_traffic(question.counts_traffic != 0);
  balancing_news::answer(table_, centre_pe_, std::move(answer));
}

Gossip& Balancing::gossip() {
  if (gossip_ == nullptr) gossip_ = std::make_unique<Gossip>(table_);
  return *gossip_;
}

void Balancing::begin_gossip(const GossipTerms& terms) {
  std::vector<ElementLoad> loads = is_of_barrier_ ? loads_of_barrier() : loads_of_all();
  meter_.clear();
  is_stepping_ = is_stepping_ || is_of_barrier_;
  // Other PEs of the process may take what there is as well.
  const auto sharers = static_cast<std::uint64_t>(table_.pe().process().local_pes());
  gossip().begin(terms, std::move(loads), device_memory().room / sharers);
}

void Balancing::gossip_ends(const std::vector<MoveOrder>& orders, std::vector<PeLoad> given) {
  given_ = std::move(given);
  move(orders);
}

}  // namespace kaon::chares
