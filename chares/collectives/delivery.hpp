// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/chares/elements/element_base.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/recipients.hpp"
#include "kaon/chares/sending/broadcast_turns.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

/// Why a call of many elements has no result: the array is being destroyed.
std::exception_ptr some_were_not_asked();

/// Destination of the results that elements give to a broadcast. A combiner merges them with the results of the PEs
/// asked from here, for the sender of the message. Without a combiner, no results were requested.
class Answers {
 public:
  Answers() = default;
  explicit Answers(Combining& combiner) : combiner_(&combiner) {}

  /// For the elements on this PE, which are expected.
  ResultTo to() const { return combiner_ != nullptr ? combiner_->local() : ResultTo{}; }
  void expect(std::uint64_t more) const {
    if (combiner_ != nullptr) combiner_->missing().expect(more);
  }
  void forgo(std::uint64_t fewer) const {
    if (combiner_ != nullptr) combiner_->missing().forgo(fewer);
  }
  /// For what is sent to another PE, or after one element.
  ReplyTo expect_reply() const { return combiner_ != nullptr ? combiner_->expect_reply() : ReplyTo{}; }
  void fail(std::exception_ptr error) const { combiner_->fail(std::move(error)); }
  /// Adds one expected result and fails it at once.
  void fail_one(Pe& pe, std::exception_ptr error) const {
    combiner_->missing().expect();
    combiner_->fail(std::move(error));
    combiner_->run(*combiner_, pe);
  }
  /// The last thing that is done with it. `are_cut`: some were not asked.
  void all_are_asked(Pe& pe, bool are_cut) const {
    if (combiner_ == nullptr) return;
    if (are_cut) combiner_->fail(some_were_not_asked());
    combiner_->run(*combiner_, pe);  // without a result: all are expected
  }

 private:
  Combining* combiner_ = nullptr;
};

/// The type-dependent half of a broadcast.
struct BroadcastFunctions {
  /// Runs the entry of one element with copies of the message's arguments.
  void (*run_one)(ElementBase&, const Message&, Pe&, const ResultTo&);
  /// In a share: those for whom it is.
  std::vector<std::uint64_t>& (*numbers)(Message&);
  /// Returns the ordering data of the message. nullptr: its entry is not ordered.
  BroadcastOrder& (*order)(Message&);
};

/// A message on its way through the elements for which one PE answers; gives way to other work from time to time. Those
/// that their home finds elsewhere get it by one share for each PE, a copy of the message with a list of them; after
/// one that is not where its home knew it goes a share of its own, as a message to it would, which has no list.
class Delivery final : public Activity {
 public:
  /// Takes the message.
  static void start(Message& message, ElementTable& table, const Answers& answers, Recipients recipients,
                    const BroadcastFunctions& functions);

  Delivery(Message& message, ElementTable& table, const Answers& answers, Recipients&& recipients,
           const BroadcastFunctions& functions);

 private:
  static constexpr std::uint64_t kElementsAtATime = 512;

  ~Delivery() override { message_.entry->destroy(message_, pool()); }

  static void go_on(Work& work, Pe& pe);
  void run_some(Pe& pe, std::uint64_t stop);
  bool is_due(ElementBase& element, std::uint64_t number);
  HomeTurn turn_of(std::uint64_t number);
  void send_after(std::uint64_t number, Pe& pe);
  /// To the elements with these numbers, or, with none, to that `element`.
  struct Share {
    std::uint64_t element;
    std::vector<std::uint64_t> numbers;
    std::vector<HomeTurn> turns;  // none where it is not ordered
  };
  Share share_of(std::uint64_t number);
  Share share_of(std::vector<std::uint64_t> numbers);
  void send_share(Pe& pe, PeId to, Share share);
  Message& make_share(Pe& pe, Share& share);
  void finish(Pe& pe);

  Message& message_;
  ElementTable& table_;
  Elements::Walk use_;
  Answers answers_;
  Recipients recipients_;
  const BroadcastFunctions& functions_;
  FoundElsewhere elsewhere_;
  std::uint64_t place_ = 0;
};

}  // namespace kaon::chares
