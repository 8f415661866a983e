// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::testing {

/// An argument that counts itself: whether all of a message is released.
struct CountedArgument {
  static inline int alive = 0;

  CountedArgument() { ++alive; }
  CountedArgument(const CountedArgument&) { ++alive; }
  ~CountedArgument() { --alive; }
  CountedArgument& operator=(const CountedArgument&) = default;
  template <class Archive>
  void pup(Archive&) {}
};

}  // namespace kaon::testing
