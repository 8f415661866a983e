// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "kaon/chares/balancing/balancing.hpp"
#include "kaon/chares/balancing/balancing_centre.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace balancing_procedures {  // not unnamed: entries are told apart by their names

Balancing& part_of(ElementTable& table) {
  if (table.balancing() == nullptr) throw CorruptMessage("a PE heard of balancing an array that is not balanced");
  return *table.balancing();
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
void sent(ElementTable& table, PeId from, std::uint64_t count) { centre_of(table, from).sent(count); }
void landed(ElementTable& table, PeId from, std::uint64_t count) { centre_of(table, from).landed(count); }
void ask(ElementTable& table, std::uint8_t is_of_barrier) { part_of(table).answer(is_of_barrier != 0); }
void order(ElementTable& table, std::vector<MoveOrder> orders) { part_of(table).order(orders); }
void go_on(ElementTable& table, std::string error) { part_of(table).go_on(error); }

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
void sent(ElementTable& table, PeId centre, std::uint64_t count) {
  send<&balancing_procedures::sent>(table, centre, table.pe().id(), count);
}
void landed(ElementTable& table, PeId centre, std::uint64_t count) {
  send<&balancing_procedures::landed>(table, centre, table.pe().id(), count);
}
void ask(ElementTable& table, PeId to, bool is_of_barrier) {
  send<&balancing_procedures::ask>(table, to, static_cast<std::uint8_t>(is_of_barrier ? 1 : 0));
}
void order(ElementTable& table, PeId to, std::vector<MoveOrder> orders) {
  send<&balancing_procedures::order>(table, to, std::move(orders));
}
void go_on(ElementTable& table, PeId to, std::string error) {
  send<&balancing_procedures::go_on>(table, to, std::move(error));
}

}  // namespace balancing_news
}  // namespace kaon::chares
