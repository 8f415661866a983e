// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "kaon/ampi_shim/collectives/meeting.hpp"
#include "kaon/ampi_shim/collectives/parcel.hpp"

namespace kaon::ampi {

/// Blocks that go from ranks to ranks: from all to all, from the root to all (scatter) or to the root (gather). Inside
/// a PE they are copied from buffer to buffer. To each other PE one parcel goes with all small ones, and each large one
/// in a message of its own, without a copy in between. What is large depends on what sender and receiver both know.
class ExchangeShare final : public Share {
 public:
  ExchangeShare(const Blocks& from, const Blocks& to) : Share(Kind::exchange), from_(from), to_(to) {}
  /// `kind`: gather, of which `mine` is sent and `all` received, by the root alone; or scatter, the other way round.
  /// A root in place has nothing in `mine`, and keeps its own block.
  ExchangeShare(Kind kind, const Piece& mine, const Blocks& all, int root, bool in_place)
      : Share(kind, root), kind_(kind), from_(all), to_(all), mine_(mine), in_place_(in_place) {}

  void begin(Meeting& meeting) override;
  void plan(Meeting& meeting, Schedule& schedule) override;
  void finish(Meeting& meeting) override;

 private:
  /// Ranks of a place, with their seats.
  struct Party {
    const std::vector<int>* members = nullptr;
    std::size_t first = 0, end = 0;
  };

  Piece from(int receiver) const { return kind_ == Kind::gather ? mine_ : from_[receiver]; }
  Piece to(int sender) const { return kind_ == Kind::scatter ? mine_ : to_[sender]; }
  Party senders(const Meeting& meeting, std::size_t place) const;
  Party receivers(const Meeting& meeting, std::size_t place) const;
  Party only_root(const Meeting& meeting, std::size_t place) const;
  bool copy_equal_blocks(Meeting& meeting);
  void send_to(Meeting& meeting, Schedule& schedule, std::size_t place);
  void receive_from(Meeting& meeting, Schedule& schedule, std::size_t place);
  void unpack(Meeting& meeting, const Parcel& parcel);

  const Kind kind_ = Kind::exchange;
  const Blocks from_;
  const Blocks to_;
  const Piece mine_;
  const bool in_place_ = false;
  std::vector<Parcel> arriving_;
};

}  // namespace kaon::ampi
