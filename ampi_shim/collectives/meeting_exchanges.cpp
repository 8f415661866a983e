// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/meeting_exchanges.hpp"

#include <algorithm>
#include <cstring>

namespace kaon::ampi {
namespace {

// Below this two copies cost less than a message.
constexpr MPI_Count kLarge = 4 * 1024;

bool is_parcelled(const Piece& piece) { return packed_bytes(piece) < kLarge; }

/// With a size that the compiler knows, a copy is two instructions.
inline void copy_block(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes == 4)
    std::memcpy(to, from, 4);
  else
    std::memcpy(to, from, bytes);
}

}  // namespace

ExchangeShare::Party ExchangeShare::only_root(const Meeting& meeting, std::size_t place) const {
  const std::vector<int>& members = meeting.members()[place];
  const auto found = std::lower_bound(members.begin(), members.end(), root());
  const auto seat = static_cast<std::size_t>(found - members.begin());
  const bool is_there = found != members.end() && *found == root();
  return {&members, seat, is_there ? seat + 1 : seat};
}

ExchangeShare::Party ExchangeShare::senders(const Meeting& meeting, std::size_t place) const {
  if (kind_ == Kind::scatter) return only_root(meeting, place);
  return {&meeting.members()[place], 0, meeting.members()[place].size()};
}

ExchangeShare::Party ExchangeShare::receivers(const Meeting& meeting, std::size_t place) const {
  if (kind_ == Kind::gather) return only_root(meeting, place);
  return {&meeting.members()[place], 0, meeting.members()[place].size()};
}

void ExchangeShare::begin(Meeting& meeting) {
  if (copy_equal_blocks(meeting)) return;
  const Party from = senders(meeting, meeting.here()), to = receivers(meeting, meeting.here());
  for (std::size_t receiver = to.first; receiver < to.end; ++receiver) {
    auto& its = meeting.share<ExchangeShare>(receiver);
    for (std::size_t sender = from.first; sender < from.end; ++sender) {
      const Piece sent = meeting.share<ExchangeShare>(sender).from((*to.members)[receiver]);
      if (sent.count == 0 || (sender == receiver && its.in_place_)) continue;
      const Piece room = its.to((*from.members)[sender]);
      if (packed_bytes(sent) > packed_bytes(room)) its.note_error(MPI_ERR_TRUNCATE);
      copy(sent, room);
    }
  }
}

// Of all-to-all alone, where all blocks are runs of as many bytes.
bool ExchangeShare::copy_equal_blocks(Meeting& meeting) {
  if (kind_ != Kind::exchange) return false;
  const std::size_t ranks = meeting.size();
  const MPI_Count bytes = from_.run_bytes();
  if (bytes <= 0) return false;
  for (std::size_t seat = 0; seat < ranks; ++seat) {
    const auto& share = meeting.share<ExchangeShare>(seat);
    if (share.from_.run_bytes() != bytes || share.to_.run_bytes() != bytes) return false;
  }
  const auto block = static_cast<std::size_t>(bytes);
  const std::vector<int>& here = meeting.members()[meeting.here()];
  for (std::size_t receiver = 0; receiver < ranks; ++receiver) {
    std::byte* const to = meeting.share<ExchangeShare>(receiver).to_.run();
    const auto column = static_cast<std::size_t>(here[receiver]) * block;
    for (std::size_t sender = 0; sender < ranks; ++sender)
      copy_block(to + static_cast<std::size_t>(here[sender]) * block,
                 meeting.share<ExchangeShare>(sender).from_.run() + column, block);
  }
  return true;
}

// In each round all places send to one, which is another for each. Messages between two leaders keep their order.
void ExchangeShare::plan(Meeting& meeting, Schedule& schedule) {
  const std::size_t places = meeting.members().size();
  for (std::size_t round = 1; round < places; ++round) {
    receive_from(meeting, schedule, (meeting.here() + places - round) % places);
    send_to(meeting, schedule, (meeting.here() + round) % places);
    schedule.fence();
  }
}

void ExchangeShare::send_to(Meeting& meeting, Schedule& schedule, std::size_t place) {
  const Party from = senders(meeting, meeting.here()), to = receivers(meeting, place);
  Parcel parcel{place, nullptr, (from.end - from.first) * (to.end - to.first), 0};
  const auto for_each = [&](auto visit) {
    std::size_t block = 0;
    for (std::size_t sender = from.first; sender < from.end; ++sender) {
      const auto& its = meeting.share<ExchangeShare>(sender);
      for (std::size_t receiver = to.first; receiver < to.end; ++receiver)
        visit(block++, its.from((*to.members)[receiver]));
    }
  };
  bool is_empty = true;
  for_each([&](std::size_t, const Piece& piece) {
    is_empty = is_empty && packed_bytes(piece) == 0;
    if (is_parcelled(piece)) parcel.bytes += packed_bytes(piece);
  });
  if (is_empty) return;
  parcel.memory = static_cast<std::byte*>(schedule.scratch(static_cast<MPI_Count>(parcel.size())));
  std::byte* next = parcel.data();
  schedule.send(meeting.leaders().peer(static_cast<int>(place)),
                bytes_at(parcel.memory, static_cast<MPI_Count>(parcel.size())));
  for_each([&](std::size_t block, const Piece& piece) {
    const MPI_Count bytes = packed_bytes(piece);
    parcel.set_size(block, bytes);
    if (!is_parcelled(piece)) return schedule.send(meeting.leaders().peer(static_cast<int>(place)), piece);
    copy(piece, bytes_at(next, bytes));
    next += bytes;
  });
}

void ExchangeShare::receive_from(Meeting& meeting, Schedule& schedule, std::size_t place) {
  const Party from = senders(meeting, place), to = receivers(meeting, meeting.here());
  Parcel parcel{place, nullptr, (from.end - from.first) * (to.end - to.first), 0};
  std::vector<Piece> large;
  bool is_empty = true;
  for (std::size_t sender = from.first; sender < from.end; ++sender) {
    for (std::size_t receiver = to.first; receiver < to.end; ++receiver) {
      const Piece piece = meeting.share<ExchangeShare>(receiver).to((*from.members)[sender]);
      is_empty = is_empty && packed_bytes(piece) == 0;
      if (is_parcelled(piece))
        parcel.bytes += packed_bytes(piece);
      else
        large.push_back(piece);
    }
  }
  if (is_empty) return;
  parcel.memory = static_cast<std::byte*>(schedule.scratch(static_cast<MPI_Count>(parcel.size())));
  const int leader = meeting.leaders().peer(static_cast<int>(place));
  schedule.receive(leader, bytes_at(parcel.memory, static_cast<MPI_Count>(parcel.size())));
  for (const Piece& piece : large) schedule.receive(leader, piece);
  arriving_.push_back(parcel);
}

void ExchangeShare::finish(Meeting& meeting) {
  for (const Parcel& parcel : arriving_) unpack(meeting, parcel);
}

// Sizes are those that were sent. The rest of what was to come may be missing.
void ExchangeShare::unpack(Meeting& meeting, const Parcel& parcel) {
  const Party from = senders(meeting, parcel.place), to = receivers(meeting, meeting.here());
  std::byte* next = parcel.data();
  MPI_Count rest = parcel.bytes;
  std::size_t block = 0;
  for (std::size_t sender = from.first; sender < from.end; ++sender) {
    for (std::size_t receiver = to.first; receiver < to.end; ++receiver) {
      auto& its = meeting.share<ExchangeShare>(receiver);
      const MPI_Count bytes = parcel.size_of(block++);
      if (bytes <= 0 || bytes >= kLarge) continue;
      const Piece room = its.to((*from.members)[sender]);
      if (bytes > packed_bytes(room)) its.note_error(MPI_ERR_TRUNCATE);
      if (bytes > rest) return meeting.note_error(MPI_ERR_TRUNCATE);
      copy(bytes_at(next, bytes), room);
      next += bytes;
      rest -= bytes;
    }
  }
}

}  // namespace kaon::ampi
