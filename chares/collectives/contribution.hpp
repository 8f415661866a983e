// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <memory>
#include <optional>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/collectives/reduction_state.hpp"
#include "kaon/runtime/pe/handler.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {

template <class V, class Op>
class Reduction;

/// What contribute() gives: awaits the combination of all elements' values.
template <class V, class Op>
class [[nodiscard]] Contribution {
 public:
  Contribution(ElementTable& table, ElementBase& element, V value)
      : table_(table), element_(element), value_(std::move(value)) {}
  Contribution(const Contribution&) = delete;
  Contribution& operator=(const Contribution&) = delete;
  ~Contribution() {
    if (task_) Reduction<V, Op>::forget(table_, number_, *this);
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> task) {
    task_ = task;
    number_ = table_.next_reduction(element_);
    Reduction<V, Op>::contribute(table_, number_, std::move(*value_), *this);
  }
  V await_resume() { return std::move(*value_); }

 private:
  friend class Reduction<V, Op>;
  ElementTable& table_;
  ElementBase& element_;
  std::optional<V> value_;  // the contribution, then the result
  std::uint32_t number_ = 0;
  std::coroutine_handle<> task_;
  Contribution* next_ = nullptr;
};

/// Reductions over an array by contributions. Values go up the spanning tree to PE 0 with the number of elements they
/// stand for. A PE holds what it has until its own elements have contributed and it has nothing else to run, then sends
/// it up combined; what comes later follows. So elements that move in between are counted exactly once, and PEs without
/// elements need not be asked. When PE 0 has all, the result goes down the tree.
template <class V, class Op>
class Reduction final : public ReductionState, Work {
 public:
  Reduction(ElementTable& table, std::uint32_t number) : table_(table), number_(number) {
    run = &send_up;
    priority = kWhenNothingElse;
  }

  static void contribute(ElementTable& table, std::uint32_t number, V&& value, Contribution<V, Op>& waiter) {
    Reduction& state = of(table, number);
    waiter.next_ = std::exchange(state.waiting_, &waiter);
    ++state.local_;
    state.add(std::move(value), 1);
  }

  static void forget(ElementTable& table, std::uint32_t number, Contribution<V, Op>& waiter) {
    const auto found = table.reductions().find(number);
    if (found == table.reductions().end() || found->second->kind() != &kKind) return;
    Contribution<V, Op>** at = &static_cast<Reduction&>(*found->second).waiting_;
    while (*at != nullptr && *at != &waiter) at = &(*at)->next_;
    if (*at != nullptr) *at = waiter.next_;
  }

  const void* kind() const override { return &kKind; }

  // Handlers.
  static void from_below(Pe& pe, CollectionId id, std::uint32_t number, std::uint64_t count, V value) {
    auto* table = static_cast<ElementTable*>(pe.collection(id));
    if (table == nullptr)  // elsewhere the array is made already and at work: come again
      return Handler<&from_below, Counting::counted>::send(pe, pe.id(), id, number, count, std::move(value));
    of(*table, number).add(std::move(value), count);
  }

  static void result_is_here(Pe& pe, CollectionId id, std::uint32_t number, V result) {
    auto& table = *static_cast<ElementTable*>(pe.collection(id));
    tree(pe).each_child(
        pe.id(), [&](PeId child) { Handler<&result_is_here, Counting::counted>::send(pe, child, id, number, result); });
    const auto found = table.reductions().find(number);
    if (found == table.reductions().end()) return;
    const std::unique_ptr<ReductionState> state = std::move(found->second);
    table.reductions().erase(found);
    auto* waiter = static_cast<Reduction&>(*state).waiting_;
    while (waiter != nullptr) {
      Contribution<V, Op>* next = waiter->next_;
      waiter->value_.emplace(result);
      waiter->next_ = nullptr;
      std::exchange(waiter->task_, {}).resume();
      waiter = next;
    }
  }

 private:
  static constexpr PeId kRoot = 0;
  static constexpr std::int32_t kWhenNothingElse = 1 << 30;
  static constexpr char kKind = 0;

  static Reduction& of(ElementTable& table, std::uint32_t number) {
    auto& slot = table.reductions()[number];
    if (slot == nullptr) slot = std::make_unique<Reduction>(table, number);
    if (slot->kind() != &kKind) throw_different_contributions();
    return static_cast<Reduction&>(*slot);
  }

  static SpanningTree tree(Pe& pe) { return SpanningTree(kRoot, pe.process().roster()); }

  void add(V&& value, std::uint64_t count) {
    if (value_)
      value_.emplace(Op{}(std::move(*value_), std::move(value)));
    else
      value_.emplace(std::move(value));
    elements_ += count;
    Pe& pe = table_.pe();
    if (pe.id() == kRoot) {
      if (table_.has_deleted()) table_.throw_deleted_before_contribution();
      if (elements_ == table_.placement().count()) result_is_here(pe, table_.id(), number_, V(std::move(*value_)));
    } else {
      send_when_complete();
    }
  }

  /// An element may have contributed before it moved here; then nobody knows how many contributions will come.
  bool is_complete() const { return local_ >= table_.local_count() || number_ < table_.newest_arrival(); }

  void send_when_complete() {
    if (is_queued_ || !value_ || !is_complete()) return;
    is_queued_ = true;
    table_.pe().enqueue(*this);
  }

  void element_left() override {
    if (table_.pe().id() != kRoot) send_when_complete();
  }

  static void send_up(Work& work, Pe& pe) {
    auto& self = static_cast<Reduction&>(work);
    self.is_queued_ = false;
    Handler<&from_below, Counting::counted>::send(pe, tree(pe).parent(pe.id()), self.table_.id(), self.number_,
                                                  std::exchange(self.elements_, 0), std::move(*self.value_));
    self.value_.reset();
  }

  ElementTable& table_;
  std::uint32_t number_;
  bool is_queued_ = false;
  std::uint64_t elements_ = 0;  // whose values are in value_
  std::uint64_t local_ = 0;     // that have contributed on this PE
  std::optional<V> value_;      // what has not been sent up
  Contribution<V, Op>* waiting_ = nullptr;
};

}  // namespace kaon::chares
