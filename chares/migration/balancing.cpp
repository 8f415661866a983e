// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/balancing.hpp"

#include <map>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/migration/balancing_centre.hpp"
#include "kaon/chares/migration/departure.hpp"
#include "kaon/chares/migration/gossip.hpp"
#include "kaon/chares/migration/meters.hpp"
#include "kaon/chares/migration/relocation.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

Balancing::Balancing(ElementTable& table, PeId centre) : table_(table), centre_pe_(centre) {
  if (table.pe().id() == centre) centre_ = std::make_unique<BalancingCentre>(table);
  meters::begin(table.pe());
}

Balancing::~Balancing() {
  for (Message* message : continuations_) drop(*message);
  for (const Waiting& each : waiting_)
    if (each.continuation != nullptr) drop(*each.continuation);
}

void Balancing::drop(Message& message) { message.entry->destroy(message, table_.pe().pool()); }

// --- the barrier

void Balancing::arrive(std::uint64_t element, Resting& task) { add({element, &task, nullptr}); }

void Balancing::arrive(std::uint64_t element, Message& continuation) {
  try {
    add({element, nullptr, &continuation});
  } catch (...) {
    drop(continuation);
    throw;
  }
}

void Balancing::add(const Waiting& waiting) {
  if (awaits(waiting.element))
    throw UsageError(table_.name_of(waiting.element) + " called rebalance() again before the first step was over");
  at_barrier_.set(waiting.element, waiting_.size());
  waiting_.push_back(waiting);
  ++changes_;
  element_stays(waiting.element);  // main's step does not wait for this one
  look();
}

void Balancing::forget(std::uint64_t element) noexcept {
  const auto place = at_barrier_.find(element);
  if (!place) return;
  Waiting& waiting = waiting_[*place];
  if (waiting.continuation != nullptr) drop(*waiting.continuation);
  waiting = {element, nullptr, nullptr};
  at_barrier_.erase(element);
  ++changes_;
  look();
}

void Balancing::look() {
  if (is_stepping_ || table_.is_ending() || table_.pe().is_stopped()) return;
  if (at_barrier_.size() == table_.elements().count()) balancing_news::ready(table_, centre_pe_, ++version_);
}

// --- elements that come and go

// Those at the barrier may wait for no other.
void Balancing::insertion_failed() {
  ++changes_;
  look();
}

void Balancing::element_left(std::uint64_t element) {
  ++changes_;
  element_stays(element);
  const auto place = at_barrier_.find(element);
  if (place && waiting_[*place].continuation != nullptr) forget(element);  // a task says so itself
  look();
}

void Balancing::element_stays(std::uint64_t element) {
  if (to_move_.erase(element)) look_at_moves();
}

bool Balancing::begin_move(std::uint64_t element) {
  if (!to_move_.erase(element)) return false;
  ++sent_;
  return true;
}

void Balancing::look_at_moves() {
  if (!is_moving_ || !to_move_.empty()) return;
  is_moving_ = false;
  balancing_news::sent(table_, centre_pe_, std::exchange(sent_, 0), std::exchange(given_, {}));
}

void Balancing::elements_landed(std::uint32_t count) { balancing_news::landed(table_, centre_pe_, count); }

void Balancing::table_ends() {
  if (centre_ != nullptr) centre_->array_ends();
  meters::end(table_);
}

// --- what the centre says

// Nothing of it and its mates is suspended but what waits here, and it is not on a way of its own.
bool Balancing::can_leave(const Waiting& waiting) const {
  ElementBase* const element = table_.find(waiting.element);
  if (element == nullptr || table_.holds().keeps(waiting.element)) return false;
  if (table_.departures().has_begun(waiting.element) || !bonds::mates_are_free(table_, waiting.element)) return false;
  const Activity::List& suspended = ElementAccess::suspended(*element);
  return waiting.task != nullptr ? suspended.has_one() : suspended.empty();
}

void Balancing::order(const std::vector<MoveOrder>& orders) {
  meter_.clear();
  move(orders);
}

void Balancing::move(const std::vector<MoveOrder>& orders) {
  if (!is_of_barrier_) return move_at_rest(orders);
  is_stepping_ = true;
  const std::uint64_t count = move_from_barrier(orders);
  balancing_news::sent(table_, centre_pe_, count, std::exchange(given_, {}));
}

// Who has begun something else since the answer stays.
std::uint64_t Balancing::move_from_barrier(const std::vector<MoveOrder>& orders) {
  std::uint64_t count = 0;
  std::map<PeId, Relocation> relocations;
  for (const MoveOrder& order : orders) {
    const auto place = at_barrier_.find(order.element);
    if (!place || !can_leave(waiting_[*place])) continue;
    Waiting& waiting = waiting_[*place];
    Message* const continuation = std::exchange(waiting.continuation, nullptr);
    continuations_.push_back(continuation != nullptr ? continuation : &waiting.task->leave());
    forget(order.element);
    relocations.try_emplace(order.to, table_, order.to, true).first->second.add(*table_.find(order.element));
    ++count;
  }
  for (auto& [to, relocation] : relocations) relocation.send();
  return count;
}

// Nothing runs now of any element, so that most leave at once; the others when they are at rest.
void Balancing::move_at_rest(const std::vector<MoveOrder>& orders) {
  is_moving_ = true;
  std::map<PeId, Relocation> relocations;
  for (const MoveOrder& order : orders) {
    ElementBase* const element = table_.find(order.element);
    if (element == nullptr || awaits(order.element)) continue;
    if (is_free(order.element, *element)) {
      relocations.try_emplace(order.to, table_, order.to, true).first->second.add(*element);
      ++sent_;
    } else {
      to_move_.set(order.element, 1);
      Departure::to_pe(table_, *element, order.to);
    }
  }
  for (auto& [to, relocation] : relocations) relocation.send();
  look_at_moves();
}

bool Balancing::is_free(std::uint64_t number, ElementBase& element) const {
  return ElementAccess::suspended(element).empty() && !awaits(number) && !table_.holds().keeps(number) &&
         !table_.departures().has_begun(number) && bonds::mates_are_free(table_, number);
}

void Balancing::go_on(const GoOn& words) {
  is_stepping_ = false;
  calls_.begin(words.step, words.period);
  release(words.error);
  send_continuations();
  look();
}

// Those behind the ones that were answered for came while the step was under way: they are of the next.
void Balancing::release(const std::string& error) {
  const std::exception_ptr failure = error.empty() ? nullptr : std::make_exception_ptr(UsageError(error));
  std::vector<Waiting> later(waiting_.begin() + static_cast<std::ptrdiff_t>(answered_), waiting_.end());
  waiting_.resize(answered_, Waiting{0, nullptr, nullptr});
  answered_ = 0;
  ++changes_;
  const std::vector<Waiting> released = std::exchange(waiting_, std::move(later));
  for (const Waiting& each : released)
    if (each.is_there()) at_barrier_.erase(each.element);
  for (std::size_t place = 0; place < waiting_.size(); ++place)
    if (waiting_[place].is_there()) at_barrier_.set(waiting_[place].element, place);
  for (const Waiting& each : released)
    if (each.is_there()) let_go(each, failure);
}

// With an error what would go on by a message does not: nobody is there to catch it.
void Balancing::let_go(const Waiting& waiting, const std::exception_ptr& failure) {
  Pe& pe = table_.pe();
  if (waiting.task != nullptr && failure) {
    waiting.task->fail(failure);
  } else if (waiting.task != nullptr && table_.departures().has_begun(waiting.element)) {
    // migrate_to() was called: it is at rest for that
    table_.departures().resting().set(waiting.element, waiting.task);
  } else if (waiting.task != nullptr) {
    waiting.task->stay();
  } else if (failure) {
    drop(*waiting.continuation);
    pe.fail(failure, "rebalance_then() of " + table_.name_of(waiting.element));
  } else {
    pe.route(*waiting.continuation, pe.id());
  }
  table_.departures().element_is_at_rest(waiting.element);
}

void Balancing::send_continuations() {
  for (Message* message : std::exchange(continuations_, {}))
    table_.pe().route(*message, table_.find(message->element) != nullptr ? table_.pe().id()
                                                                         : table_.forwarding().where(message->element));
}

Balancing& balancing_of(ElementTable& table, const char* what) {
  if (Balancing* const balancing = table.find_part<Balancing>()) return *balancing;
  throw UsageError(std::string(what) + ": the array of " + description_of(table) +
                   " is not balanced: main says co_await runtime.balance(array, strategy) first");
}

}  // namespace kaon::chares
