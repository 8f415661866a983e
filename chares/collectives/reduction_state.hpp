// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::chares {

/// One reduction of an array on one PE: what has been contributed and not yet been sent up the tree, and who waits.
class ReductionState {
 public:
  virtual ~ReductionState() = default;
  /// Of the operation and the type, to find elements that contribute different things.
  virtual const void* kind() const = 0;
  /// An element has left the PE: perhaps its contribution was all that was waited for.
  virtual void element_left() = 0;
};

[[noreturn]] void throw_different_contributions();

}  // namespace kaon::chares
