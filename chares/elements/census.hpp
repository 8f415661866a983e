// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace kaon::chares {

/// The count of the elements that take part in a reduction.
struct CensusCount {
  std::int64_t members = 0;
  std::int64_t changes = 0;  // births and ends ever, of which these are what is left
};

/// The state of the counting, on the root.
struct CensusState {
  bool is_taken = false;     // somebody counts, or is about to
  bool has_changed = false;  // since PEs were asked last
  std::int64_t changes = 0;  // that they told of then
};

/// How many elements of a sparse array take part in a reduction, as far as one PE can tell: those inserted from here
/// less those that ended here. Each takes part from a first reduction to a last one; the sum over all PEs is right
/// wherever the elements have moved.
class Census {
 public:
  /// The first reduction of an element that is inserted by somebody who is not in the array.
  std::uint32_t first_of_newcomer() const { return first_of_newcomer_; }
  /// The oldest reduction whose result has not been here.
  std::uint32_t next() const { return next_; }

  void born(std::uint32_t first) { change(first, 1); }
  /// `next`: the first reduction in which it would have taken part and does not. True: who is counting has been told
  /// that there are more.
  bool died(std::uint32_t next);
  /// Counted for reduction `number`. Newcomers from now on are not in it.
  CensusCount count(std::uint32_t number);
  /// Counted for any that is to come.
  std::int64_t all() const;
  /// The result of a reduction is here.
  void settle(std::uint32_t number);
  CensusState& state() { return state_; }

 private:
  struct Change {
    std::uint32_t number;
    std::int64_t by;
    std::int64_t times;
  };
  void change(std::uint32_t number, std::int64_t by);

  CensusCount settled_;          // for all reductions that are to come
  std::vector<Change> changes_;  // by the number from which each counts
  std::uint32_t next_ = 0;
  std::uint32_t first_of_newcomer_ = 0;
  CensusState state_;
};

}  // namespace kaon::chares
