// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "kaon/ampi_shim/collectives/schedule.hpp"

namespace kaon::testing {

/// Ranks of one or two groups that run schedules in one thread. Messages are delivered in a random order, but those of
/// one tag between two ranks in theirs; each is copied either when it is sent, or, as large messages are, when it is
/// received: then its sender's memory must have stayed as it was.
class SimulatedRanks {
 public:
  /// `first_group`: fewer than `size` for an intercommunicator.
  SimulatedRanks(int size, int first_group, unsigned seed);
  explicit SimulatedRanks(int size, unsigned seed = 1) : SimulatedRanks(size, size, seed) {}
  ~SimulatedRanks();

  int size() const { return static_cast<int>(ranks_.size()); }
  /// Adds what each rank does, in a schedule of its own: those of one call carry one tag.
  void add(const std::function<void(int rank, ampi::Schedule&)>& plan);
  /// Starts all and delivers until nothing is under way; true when all have ended, with nothing left over.
  bool run();

 private:
  struct Rank;
  struct Job;
  struct Message;
  struct Channel {
    std::deque<Message> sent;
    std::deque<Message> wanted;
  };
  using Key = std::tuple<int, int, ampi::Side, int>;  // from, to, side, tag

  int in_all(int rank, ampi::Side side, int peer) const;
  bool send(int rank, ampi::Side side, int peer, int tag, const ampi::Piece& piece, ampi::Completion& completion);
  void receive(int rank, ampi::Side side, int peer, int tag, const ampi::Piece& piece, ampi::Completion& completion);
  void match(Channel& channel);
  bool step();

  int first_group_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::map<Key, Channel> channels_;
  int tags_ = 0;
};

}  // namespace kaon::testing
