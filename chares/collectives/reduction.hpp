// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "kaon/chares/collectives/contributors.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {

/// Reductions over an array, or a section of one, by contributions. Values go up the spanning tree to PE 0 with the
/// number of elements they stand for. A PE holds what it has until its own elements have contributed, then sends it up
/// combined when what was ready before has been run; what comes later follows. So elements that move in between are
/// counted exactly once, and PEs without elements need not be asked. When PE 0 has all, word of it goes down the tree.
///
/// End says who gets the result (ToContributors, ToCallback): what goes up the tree beside the values, and what down.
template <class V, class Op, class End>
class Reduction final : public ReductionState, Work {
  using Target = typename End::Target;
  using Down = typename End::Down;

 public:
  Reduction(const Contributors& contributors, std::uint32_t number) : contributors_(contributors), number_(number) {
    run = &send_on;
  }

  /// Adds an element's value. If the operation throws, the run ends. The End is valid until the next message.
  static End& contribute(const Contributors& contributors, std::uint32_t number, V&& value, const Target& target) {
    Reduction& state = of(contributors, number);
    ++state.local_;
    state.add(std::move(value), 1, target);
    return state.end_;
  }
  /// Returns the End of a reduction that has no result yet. nullptr: the result is there.
  static End* find(const Contributors& contributors, std::uint32_t number) {
    Reductions* const reductions = contributors.reductions();
    ReductionState* const found = reductions != nullptr ? reductions->find(number) : nullptr;
    return found != nullptr && found->kind() == &kKind ? &static_cast<Reduction&>(*found).end_ : nullptr;
  }

  const void* kind() const override { return &kKind; }

  // --- procedures
  static void from_below(ElementTable& table, std::uint32_t section, std::uint32_t number, std::uint64_t count, V value,
                         Target target) {
    const Contributors contributors(table, section);
    if (contributors.reductions() != nullptr) of(contributors, number).add(std::move(value), count, target);
  }

  static void is_over(ElementTable& table, std::uint32_t section, std::uint32_t number, Down result) {
    Pe& pe = table.pe();
    tree(pe).each_child(pe.id(), [&](PeId child) {
      TableProcedure<&is_over, Counting::counted>::send(pe, child, table.id(), section, number, result);
    });
    Reductions* const reductions = Contributors(table, section).reductions();
    if (reductions == nullptr) return;
    const std::unique_ptr<ReductionState> state = reductions->remove(number);
    Contributors(table, section).note_result(number);
    if (state != nullptr) static_cast<Reduction&>(*state).end_.give(result);
  }

  bool is_queued() const override { return is_queued_; }
  std::uint64_t contributed() const override { return elements_; }
  void close() override {
    is_closed_ = true;
    send_when_complete();
  }
  void fail(const std::exception_ptr& error) override { end_.fail(error); }

 private:
  static constexpr PeId kRoot = 0;
  static constexpr char kKind = 0;

  static Reduction& of(const Contributors& contributors, std::uint32_t number) {
    Reductions& reductions = *contributors.reductions();
    ReductionState* state = reductions.find(number);
    if (state == nullptr) {
      auto made = std::make_unique<Reduction>(contributors, number);
      state = made.get();
      reductions.add(number, std::move(made));
    }
    if (state->kind() != &kKind) throw_different_contributions();
    return static_cast<Reduction&>(*state);
  }

  static SpanningTree tree(Pe& pe) { return tree_from(kRoot, pe); }

  void add(V&& value, std::uint64_t count, const Target& target) {
    end_.note(target);
    combine(std::move(value));
    elements_ += count;
    if (table().pe().id() == kRoot) contributors_.check_none_was_deleted();
    if (table().pe().id() == kRoot && contributors_.are_counted()) return contributors_.note_value_at_root();
    send_when_complete();
  }

  /// There is no result without the value, and nobody to tell but all: the run ends.
  void combine(V&& value) {
    try {
      if (value_)
        value_.emplace(Op{}(std::move(*value_), std::move(value)));
      else
        value_.emplace(std::move(value));
    } catch (...) {
      table().pe().fail(std::current_exception(), "an operation of contribute() in " + description_of(table()));
    }
  }

  /// The root knows how many there are. Elsewhere an element may have contributed before it moved here; then nobody
  /// knows how many contributions will come.
  bool is_complete() const {
    if (table().pe().id() == kRoot)
      return is_closed_ || (!contributors_.are_counted() && elements_ == contributors_.count());
    return contributors_.may_be_all_of_this_pe(local_, number_);
  }

  void send_when_complete() {
    if (is_queued_ || !value_ || table().is_ending() || !is_complete()) return;
    is_queued_ = true;
    table().pe().count_made();
    table().pe().enqueue(*this);
  }

  void element_left() override {
    if (table().pe().id() != kRoot) send_when_complete();
  }

  static void send_on(Work& work, Pe& pe) {
    auto& self = static_cast<Reduction&>(work);
    self.is_queued_ = false;
    ElementTable& table = self.table();
    if (table.is_ending()) {  // whose end tells those who wait
      pe.count_done();
      return table.use_is_over();
    }
    const std::uint32_t number = self.number_, section = self.contributors_.section();
    V value = std::move(*self.value_);
    self.value_.reset();
    if (pe.id() == kRoot)
      is_over(table, section, number, self.end_.give_at_root(std::move(value)));  // which ends this
    else
      TableProcedure<&from_below, Counting::counted>::send(pe, tree(pe).parent(pe.id()), table.id(), section, number,
                                                           std::exchange(self.elements_, 0), std::move(value),
                                                           self.end_.target());
    pe.count_done();
  }

  ElementTable& table() const { return contributors_.table(); }

  Contributors contributors_;
  std::uint32_t number_;
  bool is_queued_ = false;
  bool is_closed_ = false;
  std::uint64_t elements_ = 0;  // whose values are in value_
  std::uint64_t local_ = 0;     // that have contributed on this PE
  std::optional<V> value_;      // what has not been sent up
  End end_;
};

}  // namespace kaon::chares
