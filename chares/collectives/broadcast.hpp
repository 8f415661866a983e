// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <new>

#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/chares/entry.hpp"

namespace kaon::chares {

/// Sends copies of a broadcast to the PEs below this one. `message.element` is the root of the tree. When results are
/// combined, each copy gets a slot of `results` for its reply.
void send_down(Message& message, Pe& pe, ReplyWaiter* results);
PeId tree_children(const Message& message, Pe& pe);

/// A broadcast on its way through the elements of one PE; gives way to other work from time to time.
template <auto E>
class BroadcastDelivery final : Work, Errand {
 public:
  static void start(Message& message, ElementTable& table, LocalResults* results) {
    Pe& pe = table.pe();
    auto* self = new (pe.pool().allocate(sizeof(BroadcastDelivery))) BroadcastDelivery(message, table, results);
    go_on(*self, pe);
  }

 private:
  static constexpr std::uint64_t kElementsAtATime = 512;

  BroadcastDelivery(Message& message, ElementTable& table, LocalResults* results)
      : Errand(table.pe().errands()), message_(message), table_(table), results_(results) {
    run = &go_on;
    priority = message.priority;
  }

  static void go_on(Work& work, Pe& pe) {
    auto& self = static_cast<BroadcastDelivery&>(work);
    pe.runs(self.message_);
    const std::uint64_t stop = std::min(self.place_ + kElementsAtATime, self.table_.places());
    for (; self.place_ < stop; ++self.place_) {
      if (self.place_ + 2 < stop) __builtin_prefetch(self.table_.at_place(self.place_ + 2));
      if (ElementBase* element = self.table_.at_place(self.place_)) {
        ++self.asked_;
        Entry<E>::run_shared(*element, self.message_, pe, ResultTo{0, {}, self.results_});
      }
    }
    if (self.place_ < self.table_.places()) return pe.enqueue(self);
    self.end(pe);
  }

  void end(Pe& pe) {
    if (results_ != nullptr) results_->all_are_asked(asked_);
    abandon();
    pe.done();
  }

  void abandon() noexcept override {
    Pe& pe = table_.pe();
    message_.entry->destroy(message_, pe);
    this->~BroadcastDelivery();
    pe.pool().release(this, sizeof(BroadcastDelivery));
  }

  Message& message_;
  ElementTable& table_;
  LocalResults* results_;
  std::uint64_t place_ = 0;
  std::uint64_t asked_ = 0;  // elements
};

template <auto E>
void deliver_broadcast(Message& message, ElementTable& table, LocalResults* results) {
  if (results == nullptr) send_down(message, table.pe(), nullptr);
  BroadcastDelivery<E>::start(message, table, results);
}

/// A broadcast whose results are combined on the way back up the tree: its own kind of message for each entry and
/// operation, because what comes back is the operation's to make.
template <auto E, class Op>
class CallAll {
  using Target = Entry<E>;
  using Functions = typename Target::Functions;
  using Value = typename Target::Value;

 public:
  template <class... A>
  static Message& make(Pe& pe, A&&... arguments) {
    Message& message = Functions::make(pe, *listed_, std::forward<A>(arguments)...);
    message.flags |= kBroadcastMessage;
    return message;
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Message&>(work);
    auto* table = static_cast<ElementTable*>(pe.collection(message.collection));
    if (table == nullptr) return pe.await_collection(message);
    auto& combiner = Combiner<Value, Op>::start(pe, message.source, message.reply);
    send_down(message, pe, &combiner);
    combiner.expect(tree_children(message, pe));
    deliver_broadcast<E>(message, *table, &combiner);
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke, &chare_type_of<typename Target::C>);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
