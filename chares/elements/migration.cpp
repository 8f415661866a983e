// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/migration.hpp"

#include <string>

namespace kaon::chares {

void check_migration(Pe& pe, const ElementBase& element, PeId to) {
  if (to >= pe.process().total_pes())
    throw UsageError("migrate_to(" + std::to_string(to) + "): the run has PEs 0 to " +
                     std::to_string(pe.process().total_pes() - 1));
  if (ElementTable::has_suspended(element))
    throw UsageError(
        "migrate_to(" + std::to_string(to) +
        "): an entry of the chare is suspended, and what it waits for would not find it: move between entries");
}

void check_nothing_lost(const ElementTable& table, std::uint64_t element) {
  const std::size_t lost = inbox::take_lost();
  if (lost > 0)
    throw UsageError(table.name_of(element) + " moved while its inboxes held " + std::to_string(lost) +
                     " messages that were not moved with it: archive every Inbox in pup()");
}

}  // namespace kaon::chares
