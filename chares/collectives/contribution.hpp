// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "kaon/chares/collectives/reductions.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

template <class V, class Op>
class Reduction;

/// What contribute() gives: awaits the combination of all elements' values.
template <class V, class Op>
class ContributionWait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;

  ContributionWait(ElementTable& table, ElementBase& element, V value)
      : table_(table), element_(element), value_(std::move(value)) {}

  bool is_ready() const noexcept { return false; }
  bool start(Waiter& waiter) {
    number_ = ElementAccess::take_reduction(element_);
    waiter_ = &waiter;
    Reduction<V, Op>::contribute(table_, number_, std::move(*value_), *this);
    return false;
  }
  void give_up(Waiter&) noexcept {
    if (waiter_ != nullptr) Reduction<V, Op>::forget(table_, number_, *this);
  }
  V take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(*value_);
  }
  std::string describe() const { return "for contribution " + std::to_string(number_) + " of the others of its array"; }

 private:
  friend class Reduction<V, Op>;
  ElementTable& table_;
  ElementBase& element_;
  std::optional<V> value_;  // the contribution, then the result
  std::uint32_t number_ = 0;
  Waiter* waiter_ = nullptr;  // nullptr: it has been told, and the array may be gone
  std::exception_ptr error_;
  ContributionWait* next_ = nullptr;
};

template <class V, class Op>
using Contribution = Awaitable<ContributionWait<V, Op>>;

/// Reductions over an array by contributions. Values go up the spanning tree to PE 0 with the number of elements they
/// stand for. A PE holds what it has until its own elements have contributed, then sends it up combined when what was
/// ready before has been run; what comes later follows. So elements that move in between are counted exactly once, and
/// PEs without elements need not be asked. When PE 0 has all, the result goes down the tree.
template <class V, class Op>
class Reduction final : public ReductionState, Work {
  using Waiting = ContributionWait<V, Op>;

 public:
  Reduction(ElementTable& table, std::uint32_t number) : table_(table), number_(number) { run = &send_on; }

  static void contribute(ElementTable& table, std::uint32_t number, V&& value, Waiting& waiting) {
    if (table.is_sparse()) throw_sparse_contribution();
    Reduction& state = of(table, number);
    ++state.local_;
    state.add(std::move(value), 1);  // throws when the values cannot be combined: then it does not wait
    waiting.next_ = std::exchange(state.waiting_, &waiting);
  }

  static void forget(ElementTable& table, std::uint32_t number, Waiting& waiting) {
    ReductionState* found = table.reductions().find(number);
    if (found == nullptr || found->kind() != &kKind) return;
    Waiting** at = &static_cast<Reduction&>(*found).waiting_;
    while (*at != nullptr && *at != &waiting) at = &(*at)->next_;
    if (*at != nullptr) *at = waiting.next_;
  }

  const void* kind() const override { return &kKind; }

  // --- procedures
  static void from_below(ElementTable& table, std::uint32_t number, std::uint64_t count, V value) {
    of(table, number).add(std::move(value), count);
  }

  static void result_is_here(ElementTable& table, std::uint32_t number, V result) {
    Pe& pe = table.pe();
    tree(pe).each_child(pe.id(), [&](PeId child) {
      TableProcedure<&result_is_here, Counting::counted>::send(pe, child, table.id(), number, result);
    });
    const std::unique_ptr<ReductionState> state = table.reductions().remove(number);
    if (state == nullptr) return;
    static_cast<Reduction&>(*state).tell([&](Waiting& waiting) { waiting.value_.emplace(result); });
  }

  bool is_queued() const override { return is_queued_; }
  void fail(const std::exception_ptr& error) override {
    tell([&](Waiting& waiting) { waiting.error_ = error; });
  }

 private:
  static constexpr PeId kRoot = 0;
  static constexpr char kKind = 0;

  static Reduction& of(ElementTable& table, std::uint32_t number) {
    ReductionState* state = table.reductions().find(number);
    if (state == nullptr) {
      auto made = std::make_unique<Reduction>(table, number);
      state = made.get();
      table.reductions().add(number, std::move(made));
    }
    if (state->kind() != &kKind) throw_different_contributions();
    return static_cast<Reduction&>(*state);
  }

  static SpanningTree tree(Pe& pe) { return tree_from(kRoot, pe); }

  /// All who wait; `put` gives each what it waits for.
  template <class Put>
  void tell(Put put) {
    for (Waiting* next = std::exchange(waiting_, nullptr); next != nullptr;) {
      Waiting& waiting = *std::exchange(next, next->next_);
      put(waiting);
      std::exchange(waiting.waiter_, nullptr)->resume_soon();
    }
  }

  void add(V&& value, std::uint64_t count) {
    if (value_)
      value_.emplace(Op{}(std::move(*value_), std::move(value)));
    else
      value_.emplace(std::move(value));
    elements_ += count;
    if (table_.pe().id() == kRoot && table_.locations().has_deleted()) table_.throw_deleted_before_contribution();
    send_when_complete();
  }

  /// The root knows how many there are. Elsewhere an element may have contributed before it moved here; then nobody
  /// knows how many contributions will come.
  bool is_complete() const {
    if (table_.pe().id() == kRoot) return elements_ == table_.placement().count();
    return local_ >= table_.elements().count() || table_.reductions().may_have_contributed_elsewhere(number_);
  }

  void send_when_complete() {
    if (is_queued_ || !value_ || table_.is_ending() || !is_complete()) return;
    is_queued_ = true;
    table_.pe().count_made();
    table_.pe().enqueue(*this);
  }

  void element_left() override {
    if (table_.pe().id() != kRoot) send_when_complete();
  }

  static void send_on(Work& work, Pe& pe) {
    auto& self = static_cast<Reduction&>(work);
    self.is_queued_ = false;
    ElementTable& table = self.table_;
    if (table.is_ending()) {  // whose end tells those who wait
      pe.count_done();
      return table.use_is_over();
    }
    const std::uint32_t number = self.number_;
    V value = std::move(*self.value_);
    self.value_.reset();
    if (pe.id() == kRoot)
      result_is_here(table, number, std::move(value));  // which ends this
    else
      TableProcedure<&from_below, Counting::counted>::send(pe, tree(pe).parent(pe.id()), table.id(), number,
                                                           std::exchange(self.elements_, 0), std::move(value));
    pe.count_done();
  }

  ElementTable& table_;
  std::uint32_t number_;
  bool is_queued_ = false;
  std::uint64_t elements_ = 0;  // whose values are in value_
  std::uint64_t local_ = 0;     // that have contributed on this PE
  std::optional<V> value_;      // what has not been sent up
  Waiting* waiting_ = nullptr;
};

}  // namespace kaon::chares
