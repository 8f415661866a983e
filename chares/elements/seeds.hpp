// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "kaon/chares/elements/table_part.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/pe/bit_priority.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::chares {

class ElementTable;

/// Chares of one class that are still to be made, wherever there is time. Those of the best priority are made first, of
/// these the newest, so that a search goes down before it spreads. Work goes to who lacks it without anybody asking
/// again and again (lifelines: Saraswat and others, Lifeline-based global load balancing, PPoPP 2011): a PE that has
/// made its last one tells the PEs at distances of powers of two, once; each of these sends it the oldest it has as
/// soon as it has two. At first all are taken for such PEs, so the first of a search spread by themselves.
class Seeds final : public TablePart {
 public:
  static constexpr TableSlot kSlot = TableSlot::seeds;

  explicit Seeds(ElementTable& table);
  ~Seeds() override;

  /// Takes a message that makes one, and is counted.
  void add(Message& seed);
  /// The same with a priority of bits, which stands behind those of integers up to 0.
  void add(Message& seed, BitPriority priority);
  /// It is this one's turn to be made.
  bool is_due(const Message& seed) const { return due_ == &seed; }
  /// A PE has none, and takes some of this one's.
  void note_hungry(PeId pe);
  /// A PE that had been told that this one has none has given some.
  void note_gift(PeId giver);
  std::size_t count() const { return count_; }

 private:
  /// The seeds of one priority, in order of arrival. Those before `oldest` have gone.
  struct Stack {
    std::vector<Message*> seeds;
    std::size_t oldest = 0;
    bool empty() const { return oldest == seeds.size(); }
  };
  /// A PE that gives to this one: whether it knows that this one has none.
  struct Giver {
    PeId pe;
    bool knows;
  };

  static void run_next(Work& self, Pe& pe);
  void note_added();
  /// The best of the stacks with integer priorities. nullptr: there are no such seeds.
  Stack* best();
  /// Those by bits are next.
  bool are_bits_best();
  Message& take_newest();
  Message& take_oldest();
  void plan_next();
  void give_some();
  void give(PeId to, std::size_t most);
  void ask_for_some();

  struct Next : Work {
    Seeds* seeds = nullptr;
    bool is_planned = false;
  };

  ElementTable& table_;
  std::map<std::int32_t, Stack> stacks_;  // that of the priority 0 stays
  std::multimap<BitPriority, Message*> by_bits_;
  std::size_t count_ = 0;
  Next next_, late_;  // late_: behind what may come for ever, so that others need not wait with it
  const Message* due_ = nullptr;
  std::vector<PeId> hungry_;  // the last one gets some first
  std::vector<Giver> givers_;
};

}  // namespace kaon::chares
