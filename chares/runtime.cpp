// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/runtime.hpp"

#include <string>

#include "kaon/chares/lifecycle/destruction.hpp"
#include "kaon/chares/outside.hpp"
#include "kaon/chares/waits/question.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace collection_procedures {  // not unnamed: entries are told apart by their names

/// PE 0 numbers the arrays, densely, so that each PE finds them in a vector.
CollectionId number(Pe& pe) { return pe.process().new_collection_id(); }

TransferReport report(Pe& pe) { return pe.exchange().transfers(); }

}  // namespace collection_procedures

namespace {

constexpr PeId kNumbersCollections = 0;

}  // namespace

PeId Runtime::pes() const { return pe_.process().total_pes(); }
int Runtime::process() const { return pe_.process().seat().process; }
int Runtime::processes() const { return pe_.process().seat().processes; }

void Runtime::check_pe(PeId pe) const {
  if (pe >= pes())
    throw UsageError("make_on(" + std::to_string(pe) + "): the run has PEs 0 to " + std::to_string(pes() - 1));
}

void Runtime::check_map(Shape shape, Map map) const {
  check(shape);
  if (map > Map::one_per_process)
    throw UsageError("create_mapped(): there is no map " + std::to_string(static_cast<int>(map)) +
                     "; kaon::Map has them, and a class places its elements itself by a function place()");
  if (map == Map::one_per_pe && shape != Shape(static_cast<int>(pes())))
    throw UsageError("create_mapped(one_per_pe) of " + to_string(shape) + " elements in a run of " +
                     std::to_string(pes()) + " PEs: create_group() makes one on each");
  if (map == Map::one_per_process && shape != Shape(processes()))
    throw UsageError("create_mapped(one_per_process) of " + to_string(shape) + " elements in a run of " +
                     std::to_string(processes()) + " processes: create_node_group() makes one for each");
}

Outside Runtime::outside() const { return Outside(pe_); }

Call<CollectionId, CollectionId> Runtime::new_collection() {
  return Question<&collection_procedures::number>::ask(pe_, kNumbersCollections);
}

void Runtime::end_failed(CollectionId id) { pe_.route(destruction::make(pe_, id), destruction::kRoot); }

Task<TransferReport> Runtime::transfers() {
  TransferReport all;
  for (PeId asked = 0; asked < pes(); ++asked) {
    const TransferReport one = co_await Question<&collection_procedures::report>::ask(pe_, asked);
    all.add(one);
  }
  co_return all;
}

Runtime this_runtime() { return Runtime(proxy::calling_pe()); }

}  // namespace kaon::chares
