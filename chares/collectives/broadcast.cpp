// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/broadcast.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

SpanningTree tree_of(const Message& message, Pe& pe) {
  if (message.element >= pe.process().total_pes()) throw CorruptMessage("a broadcast has a root that does not exist");
  return tree_from(static_cast<PeId>(message.element), pe);
}

std::exception_ptr some_were_not_asked() {
  return std::make_exception_ptr(UsageError(
      "the results of all elements of an array were awaited, but the array was destroyed before all had been asked"));
}

}  // namespace kaon::chares
