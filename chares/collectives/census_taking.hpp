// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "kaon/chares/elements/census.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/result.hpp"

namespace kaon::chares {

class ElementTable;

/// How the root of a sparse array's reductions finds out that all elements have contributed to the oldest one: it asks
/// all PEs how many take part, by a wave over the tree, again whenever contributions have come meanwhile. When none has
/// come and as many have contributed as there are, it is complete: whoever has contributed was inserted before, so was
/// counted; so was everybody whom one has inserted that has yet to contribute, and nobody else can join it. PEs count
/// at different times, between which an element may be born where it is not counted and end where it is; but when no PE
/// has seen a change since the wave before, all counts are of the time between the two (as Mattern's four counters say
/// of messages: Distributed Computing 2, 1987). Where elements neither come nor go, one wave is enough.
class CensusTaking final : public Activity {
 public:
  /// A contribution has come to the root, or an element has ended.
  static void note_change(ElementTable& table);
  /// An element ended, or was not made after all, on this PE; `next` is the reduction that it would have been in next.
  static void note_end(ElementTable& table, std::uint32_t next);

  CensusTaking(Pe& pe, CollectionId id);

 private:
  ~CensusTaking() override = default;
  static void go_on(Work& work, Pe& pe);
  void ask(ElementTable& table);
  void take_answer(ElementTable& table);

  CollectionId id_;
  std::uint32_t number_ = 0;  // of the reduction
  bool is_asking_ = false;
  Result<std::optional<CensusCount>> answer_;
};

}  // namespace kaon::chares
