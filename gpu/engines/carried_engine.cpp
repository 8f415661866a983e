// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/carried_engine.hpp"

#include <algorithm>

#include "kaon/gpu/device/arena.hpp"
#include "kaon/gpu/engines/carried_transfers.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

constexpr Ability kNotMeant{"it is not meant for this payload", false};

/// Looks once at each that waits, in their order, and goes on with those for which that is over: they may end then.
template <class Transfer>
bool take_those(std::vector<Transfer*>& waiting, bool (Transfer::*is_over)(), void (Transfer::*go_on)()) {
  bool has_some = false;
  for (std::size_t i = 0; i < waiting.size();) {
    Transfer& transfer = *waiting[i];
    if (!(transfer.*is_over)()) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    (transfer.*go_on)();
    has_some = true;
  }
  return has_some;
}

}  // namespace

CarriedEngine::CarriedEngine(Device& device, const Means& means, std::size_t most_bytes)
    : Engine(device, Route::carried),
      means_(means),
      most_bytes_(most_bytes),
      streams_(device),
      slabs_(device, means.segments),
      places_(device, slabs_, means.flags) {}

CarriedEngine::~CarriedEngine() = default;

// Who has such a kernel presumes that its receivers have one, too. Others hear nothing of this way in their reports.
Ability CarriedEngine::ability(PeId to, const PayloadRecord& record) {
  if (record.bytes > most_bytes_ || device().carrier() == nullptr || !has_room_behind(0)) return kNotMeant;
  Region* const region = region_of(device(), record);
  if (region == nullptr || region->arena == nullptr || region->device != device().number()) return kNotMeant;
  Pe& pe = device().pe();
  const Roster& roster = pe.process().roster();
  if (roster.host_of(pe.id()) != roster.host_of(to)) return kNotMeant;
  if (!means_.peers.is_in_reach(device().number(), roster.process_of(to), roster.local_index(to))) return kNotMeant;
  region->arena->note_export(*region, record.bytes);  // before it is one
  return slabs_.of(*region).bytes > 0 ? Ability{} : kNotMeant;
}

bool CarriedEngine::submit(const Passage& passage) {
  if (passage.way == Way::out)
    CarriedSend::start(*this, passage);
  else
    CarriedReceive::start(*this, passage);
  return false;
}

PeId CarriedEngine::local_index() const {
  Pe& pe = device().pe();
  return pe.process().roster().local_index(pe.id());
}

NoticeBoard CarriedEngine::board_of(PeId other) {
  const auto known =
      std::find_if(boards_.begin(), boards_.end(), [&](const OpenBoard& open) { return open.of == other; });
  if (known != boards_.end()) return known->board;
  const Roster& roster = device().pe().process().roster();
  return boards_.emplace_back(OpenBoard{other, means_.boards.of(roster.process_of(other), roster.local_index(other))})
      .board;
}

CarriedNotice CarriedEngine::notice_of(const PayloadRecord& record) {
  const Region& region = *region_of(device(), record);
  return {slabs_.of(region), static_cast<std::uint64_t>(record.data - region.base), record.bytes, means_.flags.take()};
}

std::byte* CarriedEngine::open(const SlabPlace& slab, std::uint64_t offset) {
  const auto known = std::find_if(opened_.begin(), opened_.end(), [&](const Slab& open) { return open.place == slab; });
  if (known != opened_.end()) return known->memory + offset;
  return opened_.emplace_back(Slab{slab, means_.segments.open(device(), slab)}).memory + offset;
}

void CarriedEngine::forget(CarriedSend& send) noexcept {
  std::erase(unposted_, &send);
  std::erase(unread_, &send);
}

void CarriedEngine::forget(CarriedReceive& receive) noexcept {
  std::erase(unheard_, &receive);
  std::erase(coming_, &receive);
  std::erase(carried_, &receive);
}

bool CarriedEngine::progress() {
  if (!must_look()) return false;
  bool has_some = post_notices();
  has_some |= take_those(unread_, &CarriedSend::is_read, &CarriedSend::has_been_read);
  has_some |= take_those(unheard_, &CarriedReceive::finds_notice, &CarriedReceive::hear);
  has_some |= take_those(coming_, &CarriedReceive::is_here, &CarriedReceive::has_come);
  return take_carried() || has_some;
}

bool CarriedEngine::post_notices() {
  bool has_some = false;
  while (!unposted_.empty() && unposted_.front()->post()) {
    unposted_.pop_front();
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
