// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "kaon/chares/collectives/answers.hpp"
#include "kaon/chares/elements/recipients.hpp"
#include "kaon/chares/entry.hpp"

namespace kaon::chares {

template <auto E, class C, class Answers>
class Share;

/// A message on its way through the elements for which one PE answers; gives way to other work from time to time. Those
/// that their home finds elsewhere get it by one Share for each PE; after one that is not where its home knew it goes a
/// Share of its own, as a message to it would.
template <auto E, class C, class Answers>
class Delivery final : public Activity {
 public:
  /// Takes the message.
  static void start(Message& message, ElementTable& table, const Answers& answers, Recipients recipients) {
    Pe& pe = table.pe();
    go_on(make<Delivery>(pe.activities(), pe.pool(), message, table, answers, std::move(recipients)), pe);
  }

  Delivery(Message& message, ElementTable& table, const Answers& answers, Recipients&& recipients)
      : message_(message),
        table_(table),
        use_(table.elements()),
        answers_(answers),
        recipients_(std::move(recipients)) {
    run = &go_on;
    priority = message.priority;
  }

 private:
  static constexpr std::uint64_t kElementsAtATime = 512;

  ~Delivery() override { message_.entry->destroy(message_, pool()); }

  static void go_on(Work& work, Pe& pe) {
    auto& self = static_cast<Delivery&>(work);
    pe.note_running(self.message_, RunningEntry::kNoElement);
    const Recipients& recipients = self.recipients_;
    const std::uint64_t stop = std::min(self.place_ + kElementsAtATime, recipients.places());
    const ResultTo to = self.answers_.to();
    self.answers_.expect(stop - self.place_);
    std::uint64_t absent = 0;
    for (; self.place_ < stop; ++self.place_) {
      recipients.prefetch(self.place_ + 2);
      const std::uint64_t number = recipients.number(self.place_);
      ElementBase* const element = recipients.at(self.place_);
      if (element == nullptr) [[unlikely]] {
        ++absent;
        self.send_after(number, pe);
        continue;
      }
      pe.running().note_element(number);
      Entry<E, C>::run_shared(*element, self.message_, pe, to);
    }
    self.answers_.forgo(absent);
    if (self.place_ < recipients.places() && !self.table_.is_ending()) return pe.enqueue(self);
    self.finish(pe);
  }

  [[gnu::noinline]] void send_after(std::uint64_t number, Pe& pe) {
    if (table_.is_ending()) return;
    const auto at = recipients_.whereabouts(number);
    if (!at) return;
    using Parts = Share<E, C, Answers>;
    if (!recipients_.are_at_home() || *at == pe.id())
      Parts::send_after_one(pe, message_, number, answers_.expect_reply());
    else if (elsewhere_.add(*at, number))
      Parts::send(pe, *at, message_, elsewhere_.take(*at), answers_.expect_reply());
  }

  void finish(Pe& pe) {
    elsewhere_.take_all([&](PeId at, std::vector<std::uint64_t> numbers) {
      Share<E, C, Answers>::send(pe, at, message_, std::move(numbers), answers_.expect_reply());
    });
    ElementTable& table = table_;
    const Answers answers = answers_;
    end();
    pe.count_done();
    const bool are_cut = table.is_ending();
    table.use_is_over();
    answers.all_are_asked(pe, are_cut);
  }

  Message& message_;
  ElementTable& table_;
  Elements::Walk use_;
  Answers answers_;
  Recipients recipients_;
  FoundElsewhere elsewhere_;
  std::uint64_t place_ = 0;
};

/// The part of a broadcast for elements that their home has found elsewhere: a list of them that were on one PE, or,
/// with an empty list, for the one that the header names.
template <auto E, class C, class Answers>
class Share {
  using Target = Entry<E, C>;
  using Arguments = decltype(std::tuple_cat(std::declval<std::tuple<std::vector<std::uint64_t>>>(),
                                            std::declval<typename Target::Arguments>()));
  using Functions = typename FunctionsFor<Arguments>::type;
  using Typed = typename Functions::Typed;

 public:
  static void send(Pe& pe, PeId to, const Message& whole, std::vector<std::uint64_t> numbers, ReplyTo reply) {
    pe.route(part_of(pe, whole, std::move(numbers), reply), to);
  }
  static void send_after_one(Pe& pe, const Message& whole, std::uint64_t number, ReplyTo reply) {
    Message& message = part_of(pe, whole, {}, reply);
    message.element = number;
    pe.route(message, pe.id());
  }

 private:
  static Message& part_of(Pe& pe, const Message& whole, std::vector<std::uint64_t> numbers, ReplyTo reply) {
    const auto& arguments = static_cast<const typename Target::Typed&>(whole).arguments;
    Message& part = std::apply(
        [&](const auto&... values) -> Message& {
          return Functions::make(pe.pool(), *listed_, std::move(numbers), values...);
        },
        arguments);
    part.collection = whole.collection;
    part.priority = whole.priority;
    part.reply = reply;
    return part;
  }

  static void invoke(Work& work, Pe& pe) {
    auto& part = static_cast<Typed&>(work);
    pe.running().note(part, RunningEntry::kNoElement);
    ElementTable* const table = living_table(part, pe);
    if (table == nullptr) return;
    auto& numbers = std::get<0>(part.arguments);
    if (numbers.empty()) {
      if (table->find(part.element) == nullptr) return table->forward(part);
      numbers.push_back(part.element);
    }
    Recipients recipients = Recipients::named(*table, std::move(numbers));
    const Answers answers = Answers::start(pe, part);
    Message& message = whole_of(pe, part);
    Functions::destroy(part, pe.pool());
    Delivery<E, C, Answers>::start(message, *table, answers, std::move(recipients));
  }

  /// As the message was before it was parted, with this one's arguments.
  static Message& whole_of(Pe& pe, Typed& part) {
    Message& whole = std::apply(
        [&](auto&, auto&... values) -> Message& { return Target::remake(pe, std::move(values)...); }, part.arguments);
    whole.collection = part.collection;
    whole.priority = part.priority;
    whole.source = part.source;
    whole.flags |= kBroadcastMessage;
    return whole;
  }

  static constexpr EntryRecord record() {
    EntryRecord made = Functions::template record<Share>(name(), &invoke, &element_family<C>());
    made.element_is_gone = &Answers::give_nothing;
    return made;
  }
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = record();
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
