// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/lifecycle/destruction.hpp"

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/chares/elements/table_end.hpp"
#include "kaon/chares/migration/departure.hpp"
#include "kaon/runtime/messages/typed_record.hpp"

namespace kaon::chares::destruction {
namespace {

using Functions = MessageFunctions<>;

void invoke(Work& work, Pe& pe) {
  auto& message = static_cast<Functions::Typed&>(work);
  ElementTable* const table = table_to_run_on(message, pe);
  if (table == nullptr) return;
  auto& combiner = Combiner<Nothing, KeepFirst>::start(pe, message.source, message.reply);
  send_down(message, pe, Answers(combiner));
  Functions::destroy(message, pe.pool());
  TableEnd::start(*table, &Departure::send_off, combiner);  // which is run without a result when the table is gone
  pe.count_done();
}

EntryRecord record = Functions::record("destroy() of an array", &invoke, &kAnyCollection);
const EntryRecord* const listed = enlist(record);

}  // namespace

Message& make(Pe& pe, CollectionId id) {
  Message& message = Functions::make(pe.pool(), *listed);
  message.collection = id;
  message.element = kRoot;
  return message;
}

}  // namespace kaon::chares::destruction
