// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "kaon/chares/elements/resting.hpp"
#include "kaon/chares/elements/table_part.hpp"
#include "kaon/chares/migration/balancing_news.hpp"
#include "kaon/chares/migration/call_counts.hpp"
#include "kaon/chares/migration/load_meter.hpp"
#include "kaon/runtime/memory/number_map.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::chares {

class BalancingCentre;
class ElementBase;
class ElementTable;
class Gossip;

/// The part of one PE in balancing an array. Elements come to a barrier, rebalance(), and stay there until a step of
/// the centre is over, which is one PE's:
///
///   ready     to the centre: all elements of this PE are at the barrier
///   ask       of the centre, when all PEs are ready; the answer has the loads
///   order     which elements leave; they are told where all can hear: each PE says how many it has sent and has got
///   go on     when as many have come as have left
///
/// Elements may come and go meanwhile. So the centre believes no word of readiness but counts, in the answers to one
/// question: as many at the barrier as there are in all, those on their way included. PEs answer at different times,
/// and where one may insert what comes to another, sums of several of them may be right by chance: of a sparse array it
/// asks until no PE has seen a change from one question to the next. Then the sum was right between the two.
///
/// main's steps have no barrier: ask, order, and each element leaves when it is at rest. With gossip (see Gossip) the
/// answer has a sum, and instead of an order comes the mean, by which PEs deal with each other.
class Balancing final : public TablePart {
 public:
  static constexpr TableSlot kSlot = TableSlot::balancing;

  Balancing(ElementTable& table, PeId centre);
  ~Balancing() override;

  PeId centre_pe() const { return centre_pe_; }
  /// nullptr: it is on another PE.
  BalancingCentre* centre() const { return centre_.get(); }
  LoadMeter& meter() { return meter_; }
  Gossip& gossip();
  /// The call counts of elements that may go on without a step.
  CallCounts& calls() { return calls_; }

  // --- the barrier
  /// The element waits, by a task or with a message that is to be run when the step is over. Throws UsageError when it
  /// is there already; the message is taken anyhow.
  void arrive(std::uint64_t element, Resting& task);
  void arrive(std::uint64_t element, Message& continuation);
  void forget(std::uint64_t element) noexcept;
  bool awaits(std::uint64_t element) const { return at_barrier_.contains(element); }
  /// Tells the centre when all elements of this PE are there.
  void look();

  // --- elements that come and go
  /// It is inserted from here, wherever it will be.
  void insertion_begins() { ++changes_; }
  /// It fails here.
  void insertion_failed();
  void element_left(std::uint64_t element) override;
  void element_failed(std::uint64_t element) override { forget(element); }
  /// It was to move and does not.
  void element_stays(std::uint64_t element);
  /// It leaves. Whether for a step of main's: then look_at_moves() follows.
  bool begin_move(std::uint64_t element);
  void look_at_moves();
  void elements_landed(std::uint32_t count);
  /// Notifies the task that asked for a step that there will be none.
  void table_ends() override;

  // --- what is measured
  bool counts_traffic() const { return counts_traffic_; }
  void count_traffic(bool is_counted);

  // --- what the centre says
  void answer(const LoadQuestion& question);
  void order(const std::vector<MoveOrder>& orders);
  void begin_gossip(const GossipTerms& terms);
  void go_on(const GoOn& words);
  /// Moves elements by the result of gossip, like order(). `given`: the load that their new PEs gain.
  void gossip_ends(const std::vector<MoveOrder>& orders, std::vector<PeLoad> given);

 private:
  struct Waiting {
    std::uint64_t element;
    Resting* task;          // one of the two, or neither when it has left
    Message* continuation;  // not counted yet
    bool is_there() const { return task != nullptr || continuation != nullptr; }
  };

  void add(const Waiting& waiting);
  bool can_leave(const Waiting& waiting) const;
  void drop(Message& message);
  void let_go(const Waiting& waiting, const std::exception_ptr& failure);
  void take_device_times();
  std::vector<ElementLoad> loads_of_barrier() const;
  std::vector<ElementLoad> loads_of_all() const;
  ElementLoad load_of(std::uint64_t element, bool can_move) const;
  DeviceMemory device_memory() const;
  void move(const std::vector<MoveOrder>& orders);
  std::uint64_t move_from_barrier(const std::vector<MoveOrder>& orders);
  bool is_free(std::uint64_t number, ElementBase& element) const;
  void move_at_rest(const std::vector<MoveOrder>& orders);
  void release(const std::string& error);
  void send_continuations();

  ElementTable& table_;
  PeId centre_pe_;
  std::unique_ptr<BalancingCentre> centre_;
  std::unique_ptr<Gossip> gossip_;
  LoadMeter meter_;
  CallCounts calls_;
  std::vector<Waiting> waiting_;       // in the order in which they came
  NumberMap<std::size_t> at_barrier_;  // index in waiting_
  std::size_t answered_ = 0;           // so many of waiting_ take part in the step
  std::uint64_t version_ = 0;          // of what was said to the centre
  std::uint64_t changes_ = 0;          // see LoadAnswer
  bool is_of_barrier_ = false;         // the step
  bool is_stepping_ = false;           // from the orders to going on
  bool counts_traffic_ = false;
  std::vector<Message*> continuations_;  // of elements that have left
  NumberMap<std::uint64_t> to_move_;     // in a step of main's; the values say nothing
  bool is_moving_ = false;
  std::uint64_t sent_ = 0;
  std::vector<PeLoad> given_;  // to the centre with that, after gossip
};

/// Throws UsageError when the array is not balanced.
Balancing& balancing_of(ElementTable& table, const char* what);

}  // namespace kaon::chares
