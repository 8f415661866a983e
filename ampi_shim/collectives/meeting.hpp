// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kaon/ampi_shim/collectives/collective.hpp"
#include "kaon/ampi_shim/collectives/places.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

class DirectExchange;
class Meeting;

/// A rank's contribution to a meeting: its buffers, which other ranks of its PE read and write while it waits. So they
/// must stay accessible when another rank runs: neither thread-local variables nor memory of a device. The last rank to
/// arrive does the common work, by its own share.
class Share {
 public:
  enum class Kind : std::uint8_t { barrier, broadcast, allgather, exchange, gather, scatter, reduction, scan, split };
  explicit Share(Kind kind, int root = 0) : kind_(kind), root_(root) {}
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  int root() const { return root_; }
  /// True if both may belong to one call: their kinds and roots are equal.
  bool belongs_with(const Share& other) const { return kind_ == other.kind_ && root_ == other.root_; }
  /// The error of this rank's part; the first one counts.
  int error() const { return error_; }
  void note_error(int error) {
    if (error_ == MPI_SUCCESS) error_ = error;
  }

  // --- Of the rank that comes last, when all ranks of the PE are there.
  /// Does the work among the ranks of the PE, on the strand of the last rank.
  virtual void begin(Meeting&) {}
  /// Exchanges data between the leaders of PEs, where there is more than one. Runs on that strand, which may wait.
  /// Returns false if nothing was done: then plan() is called.
  virtual bool exchange(Meeting&, DirectExchange&) { return false; }
  /// The same as a schedule.
  virtual void plan(Meeting&, Schedule&) {}
  /// Does the remaining work, on the thread of the PE, but not necessarily on a strand.
  virtual void finish(Meeting&) {}
  // --- Of each
  /// Takes what the meeting has for it: on its own strand, when the others may have left.
  virtual void take(Meeting&) {}

 protected:
  ~Share() = default;

 private:
  const Kind kind_;
  const int root_;
  int error_ = MPI_SUCCESS;
};

/// Where the ranks of one PE meet in collectives: each brings its share, the last one does the work on the memory of
/// all, by messages between one rank of each PE where ranks of others take part, and wakes the rest. So a rank costs
/// one wait and no message. For calls that block, whose members all do; the other forms go by schedules.
class Meeting final : public std::enable_shared_from_this<Meeting>, private RequestObserver {
 public:
  /// That of the communicator's ranks on the PE of `rank`; nullptr where no PE has two of them, for all ranks alike.
  static Meeting* of(Rank& rank, Communicator& communicator);

  Meeting(Context context, int ranks) : context_(context), seats_(static_cast<std::size_t>(ranks)) {}
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting();

  /// The call of a collective, as one member makes it. The name is a literal.
  struct Call {
    const char* name;
    Rank& rank;
    Communicator& communicator;
  };
  /// On a strand of the rank, until all have come and what they do together is done. Throws MpiFault for what went
  /// wrong on the way.
  void attend(const Call& call, Share& share);
  void barrier(const Call& call);

  // --- For shares
  std::size_t size() const { return seats_.size(); }
  /// The share at a seat; seats are in the order of ranks. All shares are of the kind of the one that asks.
  template <class Kind>
  Kind& share(std::size_t seat) const {
    return static_cast<Kind&>(*seats_[seat].share);
  }
  /// Members of the communicator by places, in the order of ranks; places in the order of leaders.
  const std::vector<std::vector<int>>& members() const { return members_; }
  int member_count() const { return member_count_; }
  /// Members by places are members by rank.
  bool is_in_order() const { return is_in_order_; }
  /// The number of this PE's place.
  std::size_t here() const { return static_cast<std::size_t>(leaders_.rank); }
  /// The number of the place of a member.
  int place_of(int member) const { return seats_[0].communicator->places->place_of(member); }
  const Team& leaders() const { return leaders_; }
  bool is_alone() const { return leaders_.size == 1; }
  /// Notes an error for all ranks of the PE; the first one counts.
  void note_error(int error) {
    if (error_ == MPI_SUCCESS) error_ = error;
  }
  /// Memory for what shares have in common, of so many bytes: from begin() on, until all have taken theirs.
  std::byte* make_store(std::size_t bytes);
  std::byte* store() const { return store_.get(); }
  std::size_t stored() const { return stored_; }

 private:
  class Wait;
  struct Seat {
    Share* share = nullptr;
    StackWaiter* waiter = nullptr;  // of one that waits
    Communicator* communicator = nullptr;
  };

  void take_seat(const Call& call, Share& share);
  bool do_common(const Call& call, Share& share);
  void end(int error);
  void completed(Request& request) override { end(request.error()); }
  void leave();
  void list_members(const Places& places, int ranks);

  Context context_;
  std::vector<Seat> seats_;  // by the order of ranks
  std::size_t arrived_ = 0;
  std::size_t leaving_ = 0;  // who have still to go
  Team leaders_;
  std::vector<std::vector<int>> members_;
  int member_count_ = 0;
  bool is_in_order_ = false;
  // Of the last meeting. Whoever has yet to take it is missing in the next, which so cannot have begun.
  std::unique_ptr<std::byte[]> store_;
  std::size_t store_bytes_ = 0;
  std::size_t stored_ = 0;  // of these
  int error_ = MPI_SUCCESS;
  Share* last_ = nullptr;  // of who has come last
  // Who speaks for this PE, the lowest rank, in the collective that it is in.
  Rank* leader_ = nullptr;
  int leaders_tag_ = 0;
  std::optional<Collective> exchange_;  // with other PEs
};

}  // namespace kaon::ampi
