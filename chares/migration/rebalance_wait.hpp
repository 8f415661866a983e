// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "kaon/chares/entries/rest_wait.hpp"

namespace kaon::chares {

/// Requests of chares to the balancing of their array. The first throws UsageError if the array is not balanced, or if
/// the element waits already. It returns false if the element goes on at once.
bool wait_at_barrier(ElementTable& table, ElementBase& element, Resting& task);
void wait_at_barrier(ElementTable& table, Message& continuation);
void leave_barrier(ElementTable& table, std::uint64_t element) noexcept;
void note_load(ElementTable& table, const ElementBase& element, double seconds);
void note_traffic(ElementTable& table, const ElementBase& element, std::uint64_t to, double bytes);

/// The awaitable that rebalance() returns: waits for the end of a step of balancing.
template <auto E, class C>
class RebalanceWait final : public RestingEntry<E, C> {
 public:
  template <class... A>
  explicit RebalanceWait(ElementBase& element, A&&... arguments)
      : RestingEntry<E, C>(element, "rebalance()", std::forward<A>(arguments)...) {}

  bool start(Waiter& waiter) {
    this->begin(waiter);
    return !wait_at_barrier(ElementAccess::table(this->element_), this->element_, *this);
  }
  void give_up(Waiter&) noexcept {
    ElementTable& table = ElementAccess::table(this->element_);
    leave_barrier(table, table.number_of(this->element_));
  }
  std::string describe() const { return "for rebalance() of the others of its array"; }
};

}  // namespace kaon::chares
