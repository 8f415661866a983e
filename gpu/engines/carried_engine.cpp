// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/carried_engine.hpp"

#include <algorithm>

#include "kaon/gpu/device/arena.hpp"
#include "kaon/gpu/engines/carried_transfers.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

constexpr Ability kNotMeant{"it is not meant for this payload", false};

}  // namespace

CarriedEngine::CarriedEngine(Device& device, Peers& peers, Segments& segments, SharedFlags& flags,
                             std::size_t most_bytes)
    : Engine(device, Route::carried),
      peers_(peers),
      segments_(segments),
      flags_(flags),
      most_bytes_(most_bytes),
      streams_(device) {}

CarriedEngine::~CarriedEngine() = default;

// Who has such a kernel presumes that its receivers have one, too. Others hear nothing of this way in their reports.
Ability CarriedEngine::ability(PeId to, const PayloadRecord& record) {
  if (record.bytes > most_bytes_ || device().carrier() == nullptr || sends_ >= kMostSends) return kNotMeant;
  Region* const region = region_of(device(), record);
  if (region == nullptr || region->arena == nullptr || region->device != device().number()) return kNotMeant;
  Pe& pe = device().pe();
  const Roster& roster = pe.process().roster();
  if (roster.host_of(pe.id()) != roster.host_of(to)) return kNotMeant;
  if (!peers_.is_in_reach(device().number(), roster.process_of(to), roster.local_index(to))) return kNotMeant;
  region->arena->note_export(*region, record.bytes);  // before it is one
  return place_of(*region).bytes > 0 ? Ability{} : kNotMeant;
}

bool CarriedEngine::submit(const Passage& passage) {
  if (passage.way == Way::out)
    CarriedSend::start(*this, passage);
  else
    CarriedReceive::start(*this, passage);
  return false;
}

const SlabPlace& CarriedEngine::place_of(const Region& region) {
  const auto known =
      std::find_if(own_.begin(), own_.end(), [&](const Slab& slab) { return slab.memory == region.base; });
  if (known != own_.end()) return known->place;
  return own_.emplace_back(Slab{segments_.place_of(device(), region), region.base}).place;
}

CarriedNotice CarriedEngine::notice_of(const PayloadRecord& record) {
  const Region& region = *region_of(device(), record);
  return {place_of(region), static_cast<std::uint64_t>(record.data - region.base), record.bytes, flags_.take()};
}

const std::byte* CarriedEngine::open(const CarriedNotice& notice) {
  const auto known =
      std::find_if(opened_.begin(), opened_.end(), [&](const Slab& slab) { return slab.place == notice.slab; });
  if (known != opened_.end()) return known->memory + notice.offset;
  return opened_.emplace_back(Slab{notice.slab, segments_.open(device(), notice.slab)}).memory + notice.offset;
}

bool CarriedEngine::progress() {
  if (!must_look()) return false;
  const bool has_read = take_read();
  return take_carried() || has_read;
}

bool CarriedEngine::take_read() {
  bool has_some = false;
  for (std::size_t i = unread_.size(); i-- > 0;) {
    CarriedSend& send = *unread_[i];
    if (!send.is_read()) continue;
    unread_[i] = unread_.back();
    unread_.pop_back();
    send.has_been_read();
    has_some = true;
  }
  return has_some;
}

bool CarriedEngine::take_carried() {
  bool has_some = false;
  while (!carried_.empty() && carried_.front()->is_there()) {
    CarriedReceive& receive = *carried_.front();
    carried_.pop_front();
    receive.has_landed();
    has_some = true;
  }
  return has_some;
}

}  // namespace kaon::gpu
