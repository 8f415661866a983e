// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/broadcast.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

SpanningTree tree_of(const Message& message, Pe& pe) {
  const PeId root = BroadcastTo::of(message).root;
  if (root >= pe.process().total_pes()) throw CorruptMessage("a broadcast has a root that does not exist");
  return tree_from(root, pe);
}

Recipients recipients_of(const Message& message, ElementTable& table) {
  const std::uint32_t section = BroadcastTo::of(message).section;
  if (section == 0) return Recipients::at_home(table);
  return Recipients::at_home(table, table.sections().at(section).homed);
}

std::exception_ptr some_were_not_asked() {
  return std::make_exception_ptr(UsageError(
      "the results of all elements of an array were awaited, but the array was destroyed before all had been asked"));
}

}  // namespace kaon::chares
