// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/host_notices.hpp"

#include <algorithm>

#include "kaon/gpu/device/arena.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

bool HostNotices::can_reach(PeId to, const PayloadRecord& record) {
  Region* const region = region_of(device_, record);
  if (region == nullptr || region->arena == nullptr || region->device != device_.number()) return false;
  if (!is_in_reach(to)) return false;
  region->arena->note_export(*region, record.bytes);  // before it is one
  return slabs_.of(*region).bytes > 0;
}

bool HostNotices::is_in_reach(PeId of) {
  if (reaches_.size() <= of) reaches_.resize(of + 1, Reach::unknown);
  Reach& reach = reaches_[of];
  if (reach != Reach::unknown) return reach == Reach::reached;
  Pe& pe = device_.pe();
  const Roster& roster = pe.process().roster();
  const bool is_reached = roster.host_of(pe.id()) == roster.host_of(of) &&
                          means_.peers.is_in_reach(device_.number(), roster.process_of(of), roster.local_index(of)) &&
                          has_common_boards(of);
  reach = is_reached ? Reach::reached : Reach::out_of_reach;
  return is_reached;
}

// Processes may keep theirs from each other, in both directions.
bool HostNotices::has_common_boards(PeId with) {
  try {
    board_of(with);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

PayloadNotice HostNotices::notice_of(const PayloadRecord& record) {
  const Region& region = *region_of(device_, record);
  PayloadNotice notice;
  notice.slab = slabs_.of(region);
  notice.offset = static_cast<std::uint64_t>(record.data - region.base);
  notice.bytes = record.bytes;
  return notice;
}

std::optional<std::uint32_t> HostNotices::post(PeId to, std::uint32_t counter, const PayloadNotice& notice) {
  const auto number = own_board().post(to, counter, notice);
  if (number) board_of(to).ring();
  return number;
}

PeId HostNotices::local_index() const {
  Pe& pe = device_.pe();
  return pe.process().roster().local_index(pe.id());
}

NoticeBoard HostNotices::board_of(PeId other) {
  const auto known =
      std::find_if(boards_.begin(), boards_.end(), [&](const OpenBoard& open) { return open.of == other; });
  if (known != boards_.end()) return known->board;
  const Roster& roster = device_.pe().process().roster();
  return boards_.emplace_back(OpenBoard{other, means_.boards.of(roster.process_of(other), roster.local_index(other))})
      .board;
}

std::byte* HostNotices::open(const SlabPlace& slab, std::uint64_t offset) {
  const auto known =
      std::find_if(opened_.begin(), opened_.end(), [&](const OpenSlab& open) { return open.place == slab; });
  if (known != opened_.end()) return known->memory + offset;
  return opened_.emplace_back(OpenSlab{slab, means_.segments.open(device_, slab)}).memory + offset;
}

}  // namespace kaon::gpu
