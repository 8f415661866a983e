// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/runtime.hpp"

#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace collection_handlers {  // not unnamed: entries are told apart by their names

/// PE 0 numbers the arrays, densely, so that each PE finds them in a vector.
void number(Pe& pe, PeId asker, ReplyTo slot) {
  Reply<CollectionId>::send(pe, asker, slot, pe.process().new_collection_id());
}

}  // namespace collection_handlers

namespace {

constexpr PeId kNumbersCollections = 0;

}  // namespace

PeId Runtime::pes() const { return pe_.process().total_pes(); }
int Runtime::process() const { return pe_.process().seat().process; }
int Runtime::processes() const { return pe_.process().seat().processes; }

CollectionIdAwaiter Runtime::new_collection() { return CollectionIdAwaiter(pe_); }

void CollectionIdAwaiter::await_suspend(std::coroutine_handle<> task) {
  task_ = task;
  reply_ = pe_.replies().open(*this);
  pe_.made();
  Handler<&collection_handlers::number, Counting::counted>::send(pe_, kNumbersCollections, pe_.id(), reply_);
}

Runtime this_runtime() { return Runtime(proxy::calling_pe()); }

}  // namespace kaon::chares
