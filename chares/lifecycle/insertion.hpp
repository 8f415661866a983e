// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/chares/collectives/census_taking.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/waits/call.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// An insertion on its way: to the home of its number, which knows whether there is such an element, perhaps to a PE
/// that has or had one, and to the PE that makes it. In an array that is bound to another that is the PE of the
/// leader's element, after which the message goes as one to that would.
struct InsertionWay {
  enum class Stage : std::uint8_t { asks_home, asks_holder, makes, seeks_leader };
  static constexpr PeId kAtHome = ~PeId{0};

  PeId to = kAtHome;
  Stage stage = Stage::asks_home;
  bool is_counted = false;            // in the census
  std::uint32_t first_reduction = 0;  // then: in which the element takes part
  CollectionId bound = 0;             // while it seeks the leader's element, whose array the header names

  template <class Archive>
  void pup(Archive& archive) {
    archive(to, stage, is_counted, first_reduction, bound);
  }
};

namespace insertion {

/// Throws UsageError when the elements of the array are of another class, as of one derived from it.
void check_class(const ElementTable& table, const ElementType& type);
/// The table that the insertion is for, at its own or at the leader's element. nullptr: the message has been taken,
/// sent on or dropped.
ElementTable* table_for(Message& message, InsertionWay& way, Pe& pe);
/// The next step for the PE at which an insertion has arrived. next_step() throws UsageError if the element exists
/// already, or if its array cannot have it.
enum class Step { make, waits_or_went_on };
Step next_step(ElementTable& table, Message& message, InsertionWay& way);
/// It is over: whoever waits for it is told, or the error is thrown.
void finish(ElementTable& table, Message& message, const std::exception_ptr& error);

/// Counts the element from where it is first heard of: then it is counted before whoever inserts it can contribute.
void count(ElementTable& table, InsertionWay& way);
/// The same where the insertion begins, if the array is known there, and sends it home. Takes the message.
void begin(InsertionWay& way, Pe& pe, Message& message);

/// Undoes an insertion that could not be sent: it no longer counts, and its home removes its location.
void forgo(Pe& pe, CollectionId collection, std::uint64_t element, const InsertionWay& way);

/// Makes the element of these arguments, of which the first is not for it.
template <class C, class Arguments>
void make_element(ElementTable& table, std::uint64_t element, Arguments& arguments, std::uint32_t first_reduction = 0) {
  const ElementBase::Position position = position_in(table, element, first_reduction);
  std::unique_ptr<C> made;
  try {
    const ElementBase::Construction construction(position);
    made = std::apply([](auto&, auto&... each) { return std::make_unique<C>(std::move(each)...); }, arguments);
  } catch (...) {
    chares::forgo(table, position, element);
    note_end_in_sparse(table, element);
    throw;
  }
  table.adopt(*made.release());
}

}  // namespace insertion

/// The message that inserts an element into a sparse array. Args are what its constructor takes, after a decay.
template <class C, class... Args>
class Insertion {
  using Functions = MessageFunctions<InsertionWay, Args...>;
  using Typed = typename Functions::Typed;

 public:
  using Done = Call<Nothing, void>;

  template <class... A>
  static Message& make(Pe& pe, CollectionId id, std::uint64_t element, PeId to, A&&... arguments) {
    return addressed(Functions::make(pe.pool(), *listed_, InsertionWay{to}, std::forward<A>(arguments)...), id,
                     element);
  }
  /// To the home of the element. What was made and is never sent, as a call that nobody awaits, is not counted.
  static void send(Message& message, Pe& pe) {
    insertion::begin(std::get<0>(static_cast<Typed&>(message).arguments), pe, message);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    pe.running().note(message, message.element);
    InsertionWay& way = std::get<0>(message.arguments);
    ElementTable* const table = insertion::table_for(message, way, pe);
    if (table == nullptr) return;
    pe.note_kind(message.entry->id);
    if (!way.is_counted) insertion::count(*table, way);
    std::exception_ptr error;
    const std::uint32_t contributions = table->reductions().contributions();
    try {
      insertion::check_class(*table, element_type<C>());
      const auto step = insertion::next_step(*table, message, way);
      if (step == insertion::Step::waits_or_went_on) return;
      insertion::make_element<C>(*table, message.element, message.arguments, way.first_reduction);
      if (table->bonds().has_leader()) bonds::note_made(*table, message.element);
    } catch (...) {
      error = std::current_exception();
      const std::uint32_t its_contributions = table->reductions().contributions() - contributions;
      CensusTaking::note_end(*table, (way.first_reduction + its_contributions) & ElementAccess::kReductionMask);
    }
    insertion::finish(*table, message, error);
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::template losable_record<void, 0, &insertion::forgo>(
      name(), &invoke, &kAnyCollection);  // also a leader's
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
