// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/departures.hpp"

#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/pending_departure.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

void PendingDeparture::try_soon() {
  if (std::exchange(is_queued_, true)) return;
  table_.pe().count_made();
  table_.pe().enqueue(*this);
}

Departures& Departures::leaders() const { return bonds_.leader()->departures(); }

void Departures::attempt(std::uint64_t element) {
  if (const auto departure = begun_.find(element)) (*departure)->try_soon();
  if (!bonds_.has_leader()) return;
  if (const auto departure = leaders().begun_.find(element)) (*departure)->try_soon();
}

std::uint64_t Departures::list_held_up(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  begun_.each([&](std::uint64_t, const PendingDeparture* departure) {
    if (!departure->is_held_up()) return;
    ++count;
    if (lines.size() < most) lines.push_back(departure->describe());
  });
  return count;
}

}  // namespace kaon::chares
