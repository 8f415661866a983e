// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entry.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {

/// The tree down which a broadcast goes; `message.element` is its root. Throws CorruptMessage.
SpanningTree tree_of(const Message& message, Pe& pe);

/// Sends copies of a broadcast to the PEs below this one, each with the slot for its reply that `open_reply` gives.
/// They leave before the entry runs here, if it is a long one.
template <class OpenReply>
void send_down(const Message& message, Pe& pe, OpenReply open_reply) {
  pe.note_running(message, RunningEntry::kNoElement);
  tree_of(message, pe).each_child(pe.id(), [&](PeId child) {
    Message& copy = *message.entry->copy(message, pe.pool());
    copy.source = pe.id();
    copy.reply = open_reply();
    pe.route(copy, child);
  });
}

/// Why a call of all elements has no result: the array is being destroyed.
std::exception_ptr some_were_not_asked();

/// Who takes the results that the elements of one PE give to a broadcast.
struct Collecting {
  Work* receiver = nullptr;  // nullptr: nobody
  ResultBase* result = nullptr;
  JoinCounter* missing = nullptr;
};

/// A broadcast on its way through the elements of one PE; gives way to other work from time to time.
template <auto E, class C>
class BroadcastDelivery final : public Activity {
 public:
  static void start(Message& message, ElementTable& table, const Collecting& results) {
    Pe& pe = table.pe();
    go_on(make<BroadcastDelivery>(pe.activities(), pe.pool(), message, table, results), pe);
  }

  BroadcastDelivery(Message& message, ElementTable& table, const Collecting& results)
      : message_(message), table_(table), walk_(table.elements()), results_(results) {
    run = &go_on;
    priority = message.priority;
  }

 private:
  static constexpr std::uint64_t kElementsAtATime = 512;

  ~BroadcastDelivery() override { message_.entry->destroy(message_, pool()); }

  static void go_on(Work& work, Pe& pe) {
    auto& self = static_cast<BroadcastDelivery&>(work);
    pe.note_running(self.message_, RunningEntry::kNoElement);
    const Elements& elements = self.table_.elements();
    const std::uint64_t stop = std::min(self.place_ + kElementsAtATime, elements.places());
    const ResultTo to{0, {}, self.results_.receiver, self.results_.result};
    JoinCounter* const missing = self.results_.missing;
    if (missing != nullptr) missing->expect(stop - self.place_);
    std::uint64_t gaps = 0;
    for (; self.place_ < stop; ++self.place_) {
      if (self.place_ + 2 < stop) __builtin_prefetch(elements.at_place(self.place_ + 2));
      ElementBase* const element = elements.at_place(self.place_);
      if (element == nullptr) {
        ++gaps;
        continue;
      }
      pe.running().note_element(self.table_.number_of(*element));
      Entry<E, C>::run_shared(*element, self.message_, pe, to);
    }
    if (missing != nullptr) missing->forgo(gaps);
    if (self.place_ < elements.places()) return pe.enqueue(self);
    self.finish(pe);
  }

  void finish(Pe& pe) {
    Work* const receiver = results_.receiver;
    ElementTable& table = table_;
    if (receiver != nullptr && table.is_ending()) results_.result->fail(some_were_not_asked());
    end();
    pe.count_done();
    table.use_is_over();
    if (receiver != nullptr) receiver->run(*receiver, pe);  // without a result: all have been asked
  }

  Message& message_;
  ElementTable& table_;
  Elements::Walk walk_;
  Collecting results_;
  std::uint64_t place_ = 0;
};

template <auto E, class C>
void deliver_broadcast(Message& message, ElementTable& table) {
  if (table.is_ending()) return drop(message, table.pe(), kArrayDestroyed);
  send_down(message, table.pe(), [] { return ReplyTo{}; });
  BroadcastDelivery<E, C>::start(message, table, {});
}

/// A broadcast whose results are combined on the way back up the tree: its own kind of message for each entry and
/// operation, because what comes back is the operation's to make.
template <auto E, class C, class Op>
class CallAll {
  using Target = Entry<E, C>;
  using Functions = typename Target::Functions;
  using Value = typename Target::Value;

 public:
  template <class... A>
  static Message& make(Pe& pe, A&&... arguments) {
    Message& message = Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
    message.flags |= kBroadcastMessage;
    return message;
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Message&>(work);
    ElementTable* const table = living_table(message, pe);
    if (table == nullptr) return;
    auto& combiner = Combiner<Value, Op>::start(pe, message.source, message.reply);
    send_down(message, pe, [&] { return combiner.expect_reply(); });
    BroadcastDelivery<E, C>::start(message, *table, {&combiner, &combiner.incoming(), &combiner.missing()});
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke, &element_type<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
