// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "kaon/chares/collectives/reduction.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

template <class V, class Op>
class ContributionWait;

/// The end of a reduction whose result goes to each element that has contributed, on whatever PE it has done so.
template <class V, class Op>
class ToContributors {
  using Waiting = ContributionWait<V, Op>;

 public:
  using Target = Nothing;
  using Down = V;

  static void note(Target) {}
  static Target target() { return {}; }
  static V give_at_root(V&& result) { return std::move(result); }
  void give(const V& result) {
    tell([&](Waiting& waiting) { waiting.value_.emplace(result); });
  }
  void fail(const std::exception_ptr& error) {
    tell([&](Waiting& waiting) { waiting.error_ = error; });
  }

  void add(Waiting& waiting) { waiting.next_ = std::exchange(first_, &waiting); }
  void forget(Waiting& waiting) {
    Waiting** at = &first_;
    while (*at != nullptr && *at != &waiting) at = &(*at)->next_;
    if (*at != nullptr) *at = waiting.next_;
  }

 private:
  /// All who wait; `put` gives each what it waits for.
  template <class Put>
  void tell(Put put) {
    for (Waiting* next = std::exchange(first_, nullptr); next != nullptr;) {
      Waiting& waiting = *std::exchange(next, next->next_);
      put(waiting);
      std::exchange(waiting.waiter_, nullptr)->resume_soon();
    }
  }

  Waiting* first_ = nullptr;
};

/// The awaitable that contribute() returns: waits for the combination of all elements' values.
template <class V, class Op>
class ContributionWait {
  using Combined = Reduction<V, Op, ToContributors<V, Op>>;

 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;

  ContributionWait(const Contributors& contributors, ElementBase& element, V value)
      : contributors_(contributors), element_(element), value_(std::move(value)) {}

  bool is_ready() const noexcept { return false; }
  bool start(Waiter& waiter) {
    number_ = contributors_.take_number(element_);
    // throws when somebody was deleted: then it does not wait
    auto& all = Combined::contribute(contributors_, number_, std::move(*value_), {});
    waiter_ = &waiter;
    all.add(*this);
    return false;
  }
  void give_up(Waiter&) noexcept {
    if (waiter_ == nullptr) return;
    if (auto* const all = Combined::find(contributors_, number_)) all->forget(*this);
  }
  V take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(*value_);
  }
  std::string describe() const { return contributors_.describe(number_); }

 private:
  friend class ToContributors<V, Op>;
  Contributors contributors_;
  ElementBase& element_;
  std::optional<V> value_;  // the contribution, then the result
  std::uint32_t number_ = 0;
  Waiter* waiter_ = nullptr;  // nullptr: it has been told, and the array may be gone
  std::exception_ptr error_;
  ContributionWait* next_ = nullptr;
};

template <class V, class Op>
using Contribution = Awaitable<ContributionWait<V, Op>>;

}  // namespace kaon::chares
