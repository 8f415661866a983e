// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "kaon/chares/elements/element_base.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// One reduction of an array on one PE: what has been contributed and not yet been sent up the tree, and who waits.
class ReductionState {
 public:
  virtual ~ReductionState() = default;
  /// Identifies the operation and the type, to find elements that contribute different things.
  virtual const void* kind() const = 0;
  /// Stands in the run queue: it must stay.
  virtual bool is_queued() const = 0;
  /// Gives the error to all waiters for the result that are no elements of the array.
  virtual void fail(const std::exception_ptr& error) = 0;
  /// An element has left the PE: perhaps its contribution was all that was waited for.
  virtual void element_left() = 0;
  /// How many elements stand behind what has come to this PE; and, on the root of a sparse array: these are all.
  virtual std::uint64_t contributed() const = 0;
  virtual void close() = 0;
};

/// The reductions of a collection on one PE, by their numbers, which count up within 24 bits and begin anew.
class Reductions {
 public:
  Reductions() = default;
  Reductions(const Reductions&) = delete;
  Reductions& operator=(const Reductions&) = delete;
  ~Reductions();

  static bool is_before(std::uint32_t a, std::uint32_t b) {
    return ((a - b) & ElementAccess::kReductionMask) > ElementAccess::kReductionMask / 2;
  }

  /// nullptr when there is none.
  ReductionState* find(std::uint32_t number) const { return states_.find(number).value_or(nullptr); }
  void add(std::uint32_t number, std::unique_ptr<ReductionState> state) { states_.set(number, state.release()); }
  std::unique_ptr<ReductionState> remove(std::uint32_t number);
  bool empty() const { return states_.empty(); }
  bool has_queued() const;
  /// How often elements have contributed here.
  std::uint32_t contributions() const { return contributions_; }
  void note_contribution() { ++contributions_; }
  void fail(const std::exception_ptr& error);

  /// Elements that have moved here may have contributed before, to reductions up to this one.
  bool may_have_contributed_elsewhere(std::uint32_t number) const { return is_before(number, newest_arrival_); }
  void element_arrived(std::uint32_t next_reduction) {
    if (is_before(newest_arrival_, next_reduction)) newest_arrival_ = next_reduction;
  }
  void element_left() {
    states_.each([](std::uint64_t, ReductionState* state) { state->element_left(); });
  }

 private:
  NumberMap<ReductionState*> states_;  // its own
  std::uint32_t newest_arrival_ = 0;
  std::uint32_t contributions_ = 0;
};

[[noreturn]] void throw_different_contributions();

}  // namespace kaon::chares
