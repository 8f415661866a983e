// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/meeting_broadcasts.hpp"

#include <algorithm>

#include "kaon/ampi_shim/datatypes/datatype.hpp"

namespace kaon::ampi {

void BroadcastShare::begin(Meeting& meeting) {
  const std::vector<int>& here = meeting.members()[meeting.here()];
  const auto found = std::lower_bound(here.begin(), here.end(), root());
  is_root_here_ = found != here.end() && *found == root();
  source_ = is_root_here_ ? static_cast<std::size_t>(found - here.begin()) : 0;
  if (is_root_here_) copy_to_others(meeting);
}

void BroadcastShare::plan(Meeting& meeting, Schedule& schedule) {
  plan_broadcast(schedule, meeting.leaders(), meeting.share<BroadcastShare>(source_).data_, meeting.place_of(root()));
}

void BroadcastShare::finish(Meeting& meeting) {
  if (!is_root_here_) copy_to_others(meeting);
}

void BroadcastShare::copy_to_others(Meeting& meeting) {
  const Piece& source = meeting.share<BroadcastShare>(source_).data_;
  for (std::size_t seat = 0; seat < meeting.size(); ++seat) {
    if (seat == source_) continue;
    auto& other = meeting.share<BroadcastShare>(seat);
    if (packed_bytes(other.data_) < packed_bytes(source)) other.note_error(MPI_ERR_TRUNCATE);
    copy(source, other.data_);
  }
}

void AllgatherShare::begin(Meeting& meeting) {
  const MPI_Count end = walk(meeting, [](int, MPI_Count) {});
  std::byte* const store = meeting.make_store(static_cast<std::size_t>(end));
  const std::vector<int>& here = meeting.members()[meeting.here()];
  std::size_t seat = 0;
  walk(meeting, [&](int rank, MPI_Count start) {
    if (seat == here.size() || rank != here[seat]) return;
    const Piece& block = meeting.share<AllgatherShare>(seat++).mine_;
    const MPI_Count room = packed_bytes(all_[rank]);
    if (packed_bytes(block) > room) meeting.note_error(MPI_ERR_TRUNCATE);
    copy(block, bytes_at(store + start, room));
  });
}

void AllgatherShare::plan(Meeting& meeting, Schedule& schedule) {
  std::vector<MPI_Count> starts;  // of the places
  std::size_t place = 0;
  MPI_Count end = walk(meeting, [&](int rank, MPI_Count start) {
    if (place == meeting.members().size() || rank != meeting.members()[place].front()) return;
    starts.push_back(start);
    ++place;
  });
  std::vector<MPI_Count> sizes(starts.size());
  for (std::size_t i = sizes.size(); i-- > 0; end = starts[i]) sizes[i] = end - starts[i];
  const std::vector<MPI_Aint> displacements(starts.begin(), starts.end());
  plan_allgather(schedule, meeting.leaders(), {MPI_IN_PLACE, 0, nullptr},
                 Blocks(meeting.store(), Numbers<MPI_Count>(sizes.data()), Numbers<MPI_Aint>(displacements.data()),
                        *Datatype::of(MPI_BYTE)));
}

void AllgatherShare::take(Meeting& meeting) {
  const std::byte* const store = meeting.store();
  const auto end = static_cast<std::size_t>(walk(meeting, [](int, MPI_Count) {}));
  if (end != meeting.stored()) return note_error(MPI_ERR_TRUNCATE);
  const auto bytes_from = [store](MPI_Count start, MPI_Count bytes) {
    return bytes_at(const_cast<std::byte*>(store) + start, bytes);
  };
  if (all_.are_equal() && meeting.is_in_order())
    return copy(bytes_from(0, static_cast<MPI_Count>(end)), all_.together(meeting.member_count()));
  walk(meeting, [&](int rank, MPI_Count start) {
    const Piece block = all_[rank];
    copy(bytes_from(start, packed_bytes(block)), block);
  });
}

}  // namespace kaon::ampi
