// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Counts what is missing of several things that end in any order. What begins them counts itself too until all are
/// begun, so that those which end meanwhile do not seem to be the last.
class JoinCounter {
 public:
  explicit JoinCounter(std::uint64_t missing = 0) : missing_(missing) {}
  void expect(std::uint64_t more = 1) { missing_ += more; }
  /// So many of them will not begin; who begins them still counts.
  void forgo(std::uint64_t fewer) { missing_ -= fewer; }
  /// True: that was the last.
  [[nodiscard]] bool arrive() { return --missing_ == 0; }
  bool is_complete() const { return missing_ == 0; }
  std::uint64_t missing() const { return missing_; }

 private:
  std::uint64_t missing_;
};

}  // namespace kaon::runtime
