// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/census_taking.hpp"

#include <utility>

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/elements/table_procedure.hpp"

namespace kaon::chares {
namespace census_procedures {  // not unnamed: entries are told apart by their names

void element_ended(ElementTable& table) { CensusTaking::note_change(table); }

}  // namespace census_procedures

namespace {

constexpr PeId kRoot = 0;

using Functions = MessageFunctions<std::uint32_t>;

struct Add {
  CensusCount operator()(const CensusCount& a, const CensusCount& b) const {
    return {a.members + b.members, a.changes + b.changes};
  }
};

void count_here(Work& work, Pe& pe) {
  auto& message = static_cast<Functions::Typed&>(work);
  ElementTable* const table = table_to_run_on(message, pe);
  if (table == nullptr) return;
  auto& combiner = Combiner<CensusCount, Add>::start(pe, message.source, message.reply);
  send_down(message, pe, Answers(combiner));
  combiner.incoming().set(Partial<CensusCount>(table->census().count(std::get<0>(message.arguments))));
  Functions::destroy(message, pe.pool());
  pe.count_done();
  combiner.run(combiner, pe);
}

EntryRecord record = Functions::record("the census of a sparse array", &count_here, &kAnyCollection);
const EntryRecord* const listed = enlist(record);

}  // namespace

CensusTaking::CensusTaking(Pe& pe, CollectionId id) : id_(id) {
  run = &go_on;  // behind what is ready, which may bring contributions; not behind what comes for ever
  static_cast<void>(pe);
}

void CensusTaking::note_change(ElementTable& table) {
  CensusState& state = table.census().state();
  state.has_changed = true;
  if (std::exchange(state.is_taken, true)) return;
  Pe& pe = table.pe();
  pe.count_made();
  pe.enqueue(make<CensusTaking>(pe.activities(), pe.pool(), pe, table.id()));
}

void CensusTaking::note_end(ElementTable& table, std::uint32_t next) {
  if (!table.census().died(next)) return;
  TableProcedure<&census_procedures::element_ended, Counting::counted>::send(table.pe(), kRoot, table.id());
}

// Counted as made while it stands in the queue, where it is at first; the wave's messages are counted themselves.
void CensusTaking::go_on(Work& work, Pe& pe) {
  auto& self = static_cast<CensusTaking&>(work);
  ElementTable* const table = find_table(pe.collections(), self.id_);
  const bool is_answer = std::exchange(self.is_asking_, false);
  if (table == nullptr || table->is_ending())
    self.end();
  else if (is_answer)
    self.take_answer(*table);
  else
    self.ask(*table);
  if (!is_answer) pe.count_done();
}

void CensusTaking::ask(ElementTable& table) {
  Pe& pe = table.pe();
  number_ = table.census().next();
  table.census().state().has_changed = false;
  if (table.reductions().find(number_) == nullptr) {  // nobody has contributed
    table.census().state().is_taken = false;
    return end();
  }
  is_asking_ = true;
  Message& message = Functions::make(pe.pool(), *listed, number_);
  message.collection = id_;
  message.element = BroadcastTo{pe.id(), 0}.as_element();
  message.reply = pe.replies().open(*this, answer_);
  pe.route(message, pe.id());
}

void CensusTaking::take_answer(ElementTable& table) {
  const bool has_failed = answer_.error() != nullptr;
  const CensusCount count = has_failed ? CensusCount() : answer_.value().value_or(CensusCount());
  answer_.reset();
  if (has_failed) return end();  // the array ends
  CensusState& state = table.census().state();
  const bool is_of_one_moment = std::exchange(state.changes, count.changes) == count.changes;
  ReductionState* const reduction = table.reductions().find(number_);
  const bool have_all = reduction != nullptr && count.members == static_cast<std::int64_t>(reduction->contributed());
  if (state.has_changed || (have_all && !is_of_one_moment)) return ask(table);
  state.is_taken = false;
  end();
  if (have_all) reduction->close();
}

}  // namespace kaon::chares
