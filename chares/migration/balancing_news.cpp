// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/balancing_news.hpp"

#include <utility>

#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/chares/migration/balancing_centre.hpp"
#include "kaon/chares/migration/gossip.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace balancing_procedures {  // not unnamed: entries are told apart by their names

Balancing& part_of(ElementTable& table) {
  if (Balancing* const balancing = table.find_part<Balancing>()) return *balancing;
  throw CorruptMessage("a PE heard of balancing an array that is not balanced");
}

BalancingCentre& centre_of(ElementTable& table, PeId from) {
  BalancingCentre* const centre = part_of(table).centre();
  if (centre == nullptr || from >= table.pe().process().total_pes())
    throw CorruptMessage("news of balancing came to a PE that is not its centre, or from none");
  return *centre;
}

void ready(ElementTable& table, PeId from, std::uint64_t version) { centre_of(table, from).ready(from, version); }
void answer(ElementTable& table, LoadAnswer answer) {
  BalancingCentre& centre = centre_of(table, answer.pe);
  centre.answer(std::move(answer));
}
void sent(ElementTable& table, PeId from, std::uint64_t count, std::vector<PeLoad> given) {
  centre_of(table, from).sent(from, count, given);
}
void landed(ElementTable& table, PeId from, std::uint64_t count) { centre_of(table, from).landed(count); }
void ask(ElementTable& table, LoadQuestion question) { part_of(table).answer(question); }
void order(ElementTable& table, std::vector<MoveOrder> orders) { part_of(table).order(orders); }
void begin_gossip(ElementTable& table, GossipTerms terms) { part_of(table).begin_gossip(terms); }
void go_on(ElementTable& table, GoOn words) { part_of(table).go_on(words); }

void check_pes(const ElementTable& table, const std::vector<PeLoad>& loads) {
  for (const PeLoad& each : loads)
    if (each.pe >= table.pe().process().total_pes())
      throw CorruptMessage("balancing heard of the load of a PE that does not exist");
}
void rumor(ElementTable& table, std::uint32_t round, std::vector<PeLoad> loads) {
  check_pes(table, loads);
  part_of(table).gossip().hear(round, loads);
}
void offer(ElementTable& table, std::uint32_t step, PeLoad giver, std::vector<Offer> offers) {
  check_pes(table, {giver});
  part_of(table).gossip().consider(step, giver, std::move(offers));
}
void decide(ElementTable& table, PeLoad taker, std::vector<std::uint8_t> are_taken) {
  check_pes(table, {taker});
  part_of(table).gossip().decided(taker, are_taken);
}

}  // namespace balancing_procedures

namespace balancing_news {
namespace {

// Counted, so that there is no quiescence while a step is under way.
template <auto F, class... A>
void send(ElementTable& table, PeId to, A&&... arguments) {
  TableProcedure<F, Counting::counted>::send(table.pe(), to, table.id(), std::forward<A>(arguments)...);
}

}  // namespace

void ready(ElementTable& table, PeId centre, std::uint64_t version) {
  send<&balancing_procedures::ready>(table, centre, table.pe().id(), version);
}
void answer(ElementTable& table, PeId centre, LoadAnswer answer) {
  send<&balancing_procedures::answer>(table, centre, std::move(answer));
}
void sent(ElementTable& table, PeId centre, std::uint64_t count, std::vector<PeLoad> given) {
  send<&balancing_procedures::sent>(table, centre, table.pe().id(), count, std::move(given));
}
void landed(ElementTable& table, PeId centre, std::uint64_t count) {
  send<&balancing_procedures::landed>(table, centre, table.pe().id(), count);
}
void ask(ElementTable& table, PeId to, LoadQuestion question) { send<&balancing_procedures::ask>(table, to, question); }
void order(ElementTable& table, PeId to, std::vector<MoveOrder> orders) {
  send<&balancing_procedures::order>(table, to, std::move(orders));
}
void begin_gossip(ElementTable& table, PeId to, GossipTerms terms) {
  send<&balancing_procedures::begin_gossip>(table, to, terms);
}
void go_on(ElementTable& table, PeId to, GoOn words) {
  send<&balancing_procedures::go_on>(table, to, std::move(words));
}
void rumor(ElementTable& table, PeId to, std::uint32_t round, std::vector<PeLoad> loads) {
  send<&balancing_procedures::rumor>(table, to, round, std::move(loads));
}
void offer(ElementTable& table, PeId to, std::uint32_t step, PeLoad giver, std::vector<Offer> offers) {
  send<&balancing_procedures::offer>(table, to, step, giver, std::move(offers));
}
void decide(ElementTable& table, PeId to, PeLoad taker, std::vector<std::uint8_t> are_taken) {
  send<&balancing_procedures::decide>(table, to, taker, std::move(are_taken));
}

}  // namespace balancing_news
}  // namespace kaon::chares
