// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/engines.hpp"

#include <algorithm>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

Engines::Engines(Device& device, const HostNotices::Means& means, const MemoryOfPayloads& memory,
                 const EngineSettings& settings)
    : notices_(device, means),
      carried_(device, notices_, memory, settings.stages_all ? 0 : settings.most_carried),
      fetched_(device, notices_, memory, settings.stages_all ? 0 : settings.most_fetched),
      direct_(device, means.peers, settings.stages_all),
      shared_(device, settings.stages_through_network),
      network_(device) {}

// What a kernel is still making is read sooner where it lies: whoever carries it would wait for the host first. One
// that a message has twice goes the same way both times, as its record has one route.
Route Engines::choose(PeId to, const PayloadRecord& record, std::size_t before) {
  const auto can_take = [&](Engine* engine) {
    const bool has_room = engine->has_room_behind(before) || record.route == engine->number();
    return has_room && engine->ability(to, record).is_able();
  };
  if (!position_of(record).is_known_reached() && can_take(&fetched_)) return fetched_.number();
  return (*std::find_if(all_.begin(), all_.end(), can_take))->number();
}

void Engines::prepare(PeId to, const PayloadRecord& record) {
  TransferReport& report = direct_.device().pe().exchange().transfers();
  for (Engine* engine : all_) {
    if (engine->number() == record.route) return engine->note_prepared();
    const Ability ability = engine->ability(to, record);
    if (ability.is_told && !ability.is_able()) report.add_fallback(engine->number(), ability.why_not, record.bytes);
  }
}

bool Engines::submit(Route route, const Passage& passage) {
  for (Engine* engine : all_)
    if (engine->number() == route) return engine->submit(passage);
  throw CorruptMessage("a payload in the memory of a device was announced by a route that is none for it");
}

bool Engines::progress() {
  if (carried_.must_look() || fetched_.must_look() || fetched_.lent() > 0) notices_.look();
  bool has_moved = false;
  for (Engine* engine : all_) has_moved |= engine->progress();
  return has_moved;
}

bool Engines::is_moving() const {
  return std::any_of(all_.begin(), all_.end(), [](const Engine* engine) { return engine->moving() > 0; });
}

bool Engines::must_look() const {
  return std::any_of(all_.begin(), all_.end(), [](const Engine* engine) { return engine->must_look(); });
}

}  // namespace kaon::gpu
