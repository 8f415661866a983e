// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/begin.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "kaon/chares/elements/destination.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/chares/migration/balancing_centre.hpp"
#include "kaon/chares/migration/departure.hpp"
#include "kaon/chares/waits/question.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace balancing_procedures {  // not unnamed: entries are told apart by their names

constexpr PeId kGone = ~PeId{0};

/// The PE that leads the balancing of a collection from now on; kGone: it was destroyed.
PeId begin(Pe& pe, CollectionId id, PeId centre, std::uint8_t counts_traffic) {
  if (pe.collections().find(id) == nullptr) return kGone;
  ElementTable& table = proxy::table_of(pe, id);
  const bool is_new = table.find_part<Balancing>() == nullptr;
  Balancing& balancing = table.part<Balancing>(centre);
  if (is_new) {
    balancing.count_traffic(counts_traffic != 0);
    balancing.look();
  }
  return balancing.centre_pe();
}

}  // namespace balancing_procedures

namespace balancing {

Task<> begin(Pe& pe, CollectionId id, Strategy strategy) {
  proxy::check_usable(pe, id);
  ElementTable& table = proxy::table_of(pe, id);
  if (table.find_part<Seeds>() != nullptr)
    throw UsageError("balance(): single chares are in no array that could be balanced");
  require_moving(table);
  if (table.bonds().has_leader())
    throw UsageError("balance(): the array of " + description_of(table) + " is bound to that of " +
                     description_of(mover_of(table)) + ", with which its elements go: balance that one");
  const bool is_new = table.find_part<Balancing>() == nullptr;
  const std::uint8_t counts_traffic = strategy.looks_at_traffic() ? 1 : 0;
  Balancing& balancing = table.part<Balancing>(pe.id());
  if (is_new) balancing.count_traffic(counts_traffic != 0);
  if (balancing.centre() == nullptr)
    throw UsageError("balance(): PE " + std::to_string(balancing.centre_pe()) +
                     " leads the balancing of the array of " + description_of(table) + " already: call it there");
  balancing.centre()->set_strategy(std::move(strategy));
  if (!is_new) co_return;
  const PeId pes = pe.process().total_pes();
  for (PeId to = 0; to < pes; ++to) {
    if (to == pe.id()) continue;
    const PeId centre = co_await Question<&balancing_procedures::begin>::ask(pe, to, id, pe.id(), counts_traffic);
    if (centre == balancing_procedures::kGone) throw UsageError("balance(): the array was destroyed meanwhile");
    if (centre != pe.id())
      throw UsageError("balance(): PEs " + std::to_string(pe.id()) + " and " + std::to_string(centre) +
                       " began to balance one array at once: let one of them do so");
  }
  proxy::check_usable(pe, id);
  proxy::table_of(pe, id).find_part<Balancing>()->look();
}

Task<BalanceStep> step(Pe& pe, CollectionId id, Strategy strategy) {
  proxy::check_usable(pe, id);
  if (proxy::table_of(pe, id).find_part<Balancing>() == nullptr) co_await begin(pe, id, strategy);
  proxy::check_usable(pe, id);
  ElementTable& table = proxy::table_of(pe, id);
  const Balancing& balancing = *table.find_part<Balancing>();
  if (balancing.centre() == nullptr)
    throw UsageError("rebalance(): PE " + std::to_string(balancing.centre_pe()) +
                     " leads the balancing of the array of " + description_of(table) + ": call it there");
  co_return co_await Awaitable<StepWait>(table, std::move(strategy));
}

BalancingReport report(Pe& pe, CollectionId id) {
  proxy::check_usable(pe, id);
  ElementTable& table = proxy::table_of(pe, id);
  const Balancing& balancing = balancing_of(table, "balancing_report()");
  if (balancing.centre() == nullptr)
    throw UsageError("balancing_report(): PE " + std::to_string(balancing.centre_pe()) +
                     " leads the balancing of the array of " + description_of(table) + ": call it there");
  return balancing.centre()->report();
}

}  // namespace balancing
}  // namespace kaon::chares
