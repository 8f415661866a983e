// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/meeting.hpp"

#include <unordered_map>
#include <utility>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/collectives/direct_exchange.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {
namespace {

/// Those of this thread's PE; each is its members' communicators'.
thread_local std::unordered_map<Context, Meeting*> meetings;

std::shared_ptr<Meeting> join(Context context, int ranks) {
  Meeting*& known = meetings[context];
  if (known != nullptr) return known->shared_from_this();
  auto made = std::make_shared<Meeting>(context, ranks);
  known = made.get();
  return made;
}

class BarrierShare final : public Share {
 public:
  BarrierShare() : Share(Kind::barrier) {}
  bool exchange(Meeting& meeting, DirectExchange& direct) override {
    direct.barrier(meeting.leaders());
    return true;
  }
};

}  // namespace

/// Of a rank that has come before the last.
class Meeting::Wait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  Wait(StackWaiter*& place, const Call& call) : place_(place), call_(call) {}

  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    place_ = &static_cast<StackWaiter&>(waiter);
    return false;
  }
  void give_up(Waiter&) noexcept { place_ = nullptr; }
  void take() const {}
  std::string describe() const { return describe_wait(call_.name, call_.communicator); }

 private:
  StackWaiter*& place_;
  const Call& call_;
};

Meeting* Meeting::of(Rank& rank, Communicator& communicator) {
  if (communicator.meeting != nullptr) return communicator.meeting.get();
  const Places* const places = all_places_of(rank, communicator);
  if (places == nullptr || !places->has_neighbours()) return nullptr;
  communicator.meeting = join(communicator.context(Traffic::collective), places->ranks_here());
  if (communicator.meeting->members_.empty()) communicator.meeting->list_members(*places, communicator.size());
  return communicator.meeting.get();
}

Meeting::~Meeting() { meetings.erase(context_); }

void Meeting::list_members(const Places& places, int ranks) {
  member_count_ = ranks;
  is_in_order_ = places.are_in_order();
  members_.resize(static_cast<std::size_t>(places.leaders().size));
  for (int rank = 0; rank < ranks; ++rank) members_[static_cast<std::size_t>(places.place_of(rank))].push_back(rank);
}

void Meeting::barrier(const Call& call) {
  BarrierShare share;
  attend(call, share);
}

void Meeting::attend(const Call& call, Share& share) {
  take_seat(call, share);
  const auto seat = static_cast<std::size_t>(call.communicator.places->index_here());
  const bool is_last = ++arrived_ == seats_.size();
  if (!is_last || do_common(call, share)) current_strand().wait(Wait(seats_[seat].waiter, call));
  share.note_error(error_);
  if (share.error() == MPI_SUCCESS) share.take(*this);
  leave();
  if (share.error() != MPI_SUCCESS)
    throw MpiFault(share.error(), "a message of it did not come as it should, or ranks gave different counts or types");
}

void Meeting::take_seat(const Call& call, Share& share) {
  const Places& places = *call.communicator.places;
  const auto seat = static_cast<std::size_t>(places.index_here());
  const bool is_first = arrived_ == 0;
  if (!is_first && !last_->belongs_with(share))
    throw MpiFault(MPI_ERR_OTHER, "other ranks of the communicator are in another collective, or have another root");
  last_ = &share;
  const int tag = call.communicator.next_collective_tag();
  seats_[seat] = {&share, nullptr, &call.communicator};
  if (!places.leads()) return;
  leader_ = &call.rank;
  leaders_tag_ = tag;
}

// True: it goes on, and all are woken at its end.
bool Meeting::do_common(const Call& call, Share& share) {
  arrived_ = 0;
  error_ = MPI_SUCCESS;
  leaving_ = seats_.size();
  leaders_ = call.communicator.places->leaders();
  share.begin(*this);
  if (is_alone()) {
    end(MPI_SUCCESS);
    return false;
  }
  DirectExchange direct(call.name, *leader_, *seats_[0].communicator, leaders_tag_);
  if (share.exchange(*this, direct)) {
    end(direct.error());
    return false;
  }
  exchange_.emplace(call.name, *leader_, *seats_[0].communicator, leaders_tag_);
  share.plan(*this, exchange_->schedule());
  exchange_->start();
  if (exchange_->is_active()) {
    exchange_->observe(this);
    return true;
  }
  end(exchange_->error());
  return false;
}

void Meeting::end(int error) {
  note_error(error);
  if (error_ == MPI_SUCCESS) last_->finish(*this);
  for (Seat& seat : seats_)
    if (seat.waiter != nullptr) std::exchange(seat.waiter, nullptr)->make_ready();
}

void Meeting::leave() {
  constexpr std::size_t kKept = 1 << 20;  // bytes, for the next meeting
  if (--leaving_ > 0) return;
  exchange_.reset();
  if (store_bytes_ <= kKept) return;
  store_.reset();
  store_bytes_ = 0;
}

std::byte* Meeting::make_store(std::size_t bytes) {
  stored_ = bytes;
  if (bytes > store_bytes_) {
    store_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    store_bytes_ = bytes;
  }
  return store_.get();
}

}  // namespace kaon::ampi
