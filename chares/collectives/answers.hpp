// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <utility>

#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

/// Why a call of many elements has no result: the array is being destroyed.
std::exception_ptr some_were_not_asked();

/// What becomes of the results that elements give to a broadcast: nobody asked for them.
struct NoAnswers {
  static NoAnswers start(Pe&, const Message&) { return {}; }
  static ResultTo to() { return {}; }
  static void expect(std::uint64_t) {}
  static void forgo(std::uint64_t) {}
  static ReplyTo expect_reply() { return {}; }
  static void all_are_asked(Pe&, bool) {}
  static void give_nothing(Pe&, PeId, ReplyTo) {}
};

/// They are combined by Op, with those of the PEs that are asked from here, for who sent the message.
template <class V, class Op>
class CombinedAnswers {
 public:
  static CombinedAnswers start(Pe& pe, const Message& message) {
    return CombinedAnswers(Combiner<V, Op>::start(pe, message.source, message.reply));
  }

  /// For the elements on this PE: Partial<V>, which are expected.
  ResultTo to() const { return {0, {}, combiner_, &combiner_->incoming()}; }
  void expect(std::uint64_t more) const { combiner_->missing().expect(more); }
  void forgo(std::uint64_t fewer) const { combiner_->missing().forgo(fewer); }
  /// For what is sent to another PE, or after one element.
  ReplyTo expect_reply() const { return combiner_->expect_reply(); }
  /// The last thing that is done with it. `are_cut`: some were not asked.
  void all_are_asked(Pe& pe, bool are_cut) const {
    if (are_cut) combiner_->incoming().fail(some_were_not_asked());
    combiner_->run(*combiner_, pe);  // without a result: all are expected
  }
  /// For an element that is no more.
  static void give_nothing(Pe& pe, PeId to, ReplyTo slot) { give_result<Partial<V>>(pe, {to, slot}, {}); }

 private:
  explicit CombinedAnswers(Combiner<V, Op>& combiner) : combiner_(&combiner) {}

  Combiner<V, Op>* combiner_;
};

}  // namespace kaon::chares
