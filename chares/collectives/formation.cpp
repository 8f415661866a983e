// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/formation.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace formation_procedures {  // not unnamed: entries are told apart by their names

void dissolve(ElementTable& table, PeId root, std::uint32_t number) {
  Pe& pe = table.pe();
  tree_from(root, pe).each_child(pe.id(), [&](PeId child) {
    TableProcedure<&dissolve, Counting::counted>::send(pe, child, table.id(), root, number);
  });
  table.sections().remove(number);
  table.use_is_over();
}

}  // namespace formation_procedures

namespace formation {
namespace {

using Functions = MessageFunctions<std::uint32_t, std::vector<std::uint64_t>>;

struct KeepNumber {
  std::uint32_t operator()(std::uint32_t number, std::uint32_t) const { return number; }
};

bool is_home(const ElementTable& table, std::uint64_t element) {
  if (table.is_sparse()) return table.sparse_locations().is_home(element);
  return table.locations().placement().home(element) == table.pe().id();
}

void list(ElementTable& table, std::uint32_t number, std::vector<std::uint64_t> members) {
  auto part = std::make_unique<SectionPart>();
  std::copy_if(members.begin(), members.end(), std::back_inserter(part->homed),
               [&](std::uint64_t element) { return is_home(table, element); });
  part->members = std::move(members);
  table.sections().add(number, std::move(part));
}

void invoke(Work& work, Pe& pe) {
  auto& message = static_cast<Functions::Typed&>(work);
  ElementTable* const table = table_to_run_on(message, pe);
  if (table == nullptr) return;
  auto& [number, members] = message.arguments;
  if (number == 0) number = table->sections().new_number(pe.id(), pe.process().total_pes());
  auto& combiner = Combiner<std::uint32_t, KeepNumber>::start(pe, message.source, message.reply);
  send_down(message, pe, Answers(combiner));
  combiner.incoming().set(Partial<std::uint32_t>(number));
  list(*table, number, std::move(members));
  Functions::destroy(message, pe.pool());
  pe.count_done();
  combiner.run(combiner, pe);
}

EntryRecord record = Functions::record("section() of an array", &invoke, &kAnyCollection);
const EntryRecord* const listed = enlist(record);

}  // namespace

Message& make(Pe& pe, CollectionId id, std::vector<std::uint64_t> members) {
  if (members.empty()) throw UsageError("section(members): a section of nothing; name at least one element");
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  Message& message = Functions::make(pe.pool(), *listed, 0u, std::move(members));
  message.collection = id;
  message.element = BroadcastTo{pe.id(), 0}.as_element();
  return message;
}

std::uint64_t size(const Message& message) {
  return std::get<1>(static_cast<const Functions::Typed&>(message).arguments).size();
}

void dissolve(Pe& pe, CollectionId id, std::uint32_t number) {
  TableProcedure<&formation_procedures::dissolve, Counting::counted>::send(pe, pe.id(), id, pe.id(), number);
}

}  // namespace formation
}  // namespace kaon::chares
