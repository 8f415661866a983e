// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/bonds.hpp"

#include <algorithm>
#include <string>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/location_news.hpp"
#include "kaon/chares/elements/resting.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

struct BondsAccess {
  static void tie(ElementTable& leader, ElementTable& bound) {
    bound.bonds().leader_ = &leader;
    leader.bonds().bound_.push_back(&bound);
  }
  static void untie(ElementTable& table) {
    for (ElementTable* const each : table.bonds().bound_) each->bonds().leader_ = nullptr;
    if (ElementTable* const leader = table.bonds().leader_) std::erase(leader->bonds().bound_, &table);
    table.bonds() = {};
  }
};

namespace bonds {
namespace {

bool is_kept(const Mate& mate, std::uint64_t number) {
  return mate.table.holds().keeps(number) || mate.table.departures().has_begun(number);  // which is one to its end
}

}  // namespace

Map map_of_leader(const ElementTable& table) {
  if (table.locations().placement().is_of_processes())
    throw UsageError("create_bound(): chares of a node group stay where they are, and an array of " +
                     description_of(table) + " is one: there is nothing to be bound to");
  return table.locations().placement().map();
}

void tie(ElementTable& table, Pe& pe, CollectionId to) {
  ElementTable* const target = find_table(pe.collections(), to);
  if (target == nullptr && !pe.collections().was_removed(to))
    throw UsageError("create_bound(): PE " + std::to_string(pe.id()) +
                     " has yet to make its part of the array that others are to be bound to: await its create() first");
  if (target == nullptr || target->is_ending())
    throw UsageError("create_bound(): the array that others were to be bound to was destroyed");
  ElementTable* const leader = target->bonds().leader();
  BondsAccess::tie(leader != nullptr ? *leader : *target, table);
  target->locations().each_deleted([&](std::uint64_t number) { table.locations().bury(number); });
}

void untie(ElementTable& table) noexcept { BondsAccess::untie(table); }

std::vector<Mate> mates_of(const ElementTable& table, std::uint64_t number) {
  std::vector<Mate> mates;
  for (ElementTable* const each : table.bonds().bound())
    if (ElementBase* const element = each->find(number)) mates.push_back({*each, *element});
  return mates;
}

bool mates_are_free(const ElementTable& table, std::uint64_t number) {
  const std::vector<Mate> mates = mates_of(table, number);
  return std::all_of(mates.begin(), mates.end(), [&](const Mate& each) {
    return !is_kept(each, number) && ElementAccess::suspended(each.element).empty();
  });
}

bool mates_are_at_rest(const ElementTable& table, std::uint64_t number) {
  const std::vector<Mate> mates = mates_of(table, number);
  return std::all_of(mates.begin(), mates.end(), [&](const Mate& each) {
    const Activity::List& suspended = ElementAccess::suspended(each.element);
    const bool rests = suspended.has_one() && each.table.departures().resting().contains(number);
    return !is_kept(each, number) && (suspended.empty() || rests);
  });
}

std::vector<Message*> take_continuations(const ElementTable& table, std::uint64_t number) {
  std::vector<Message*> continuations;
  for (const Mate& each : mates_of(table, number))
    if (const auto resting = each.table.departures().resting().find(number))
      continuations.push_back(&(*resting)->leave());
  return continuations;
}

void mates_stay(const ElementTable& table, std::uint64_t number) {
  for (const Mate& each : mates_of(table, number)) {
    const auto resting = each.table.departures().resting().find(number);
    if (!resting) continue;
    each.table.departures().resting().erase(number);
    (*resting)->stay();
  }
}

void note_made(ElementTable& table, std::uint64_t number) {
  if (table.is_sparse())
    note_made_in_sparse(table, number);
  else
    tell_making(table, number);
}

}  // namespace bonds
}  // namespace kaon::chares
