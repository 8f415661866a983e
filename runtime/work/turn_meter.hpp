// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/ticks.hpp"

namespace kaon::runtime {

/// Measures turns of chares' entries on a PE, while somebody wants to know how long they take. A turn that an exception
/// ends is not counted, and of turns one in the other, as when an inbox resumes a task, the outer one alone.
class TurnMeter {
 public:
  /// Gets the element of each turn (Root::element()) and how long it took.
  using Charge = void (*)(const void* element, std::uint64_t ticks);
  void start(Charge charge) { charge_ = charge; }
  void stop() { charge_ = nullptr; }
  bool is_on() const { return charge_ != nullptr; }
  /// The element of the turn that is measured now; nullptr: none is.
  const void* element() const { return element_; }

  /// The ticks that end() takes; 0: this turn is not measured.
  std::uint64_t begin(const void* element) {
    if (charge_ == nullptr || element_ != nullptr) [[likely]]
      return 0;
    element_ = element;
    return ticks();
  }
  void end(std::uint64_t begin, const void* element) {
    if (begin == 0) [[likely]]
      return;
    if (charge_ != nullptr) charge_(element, ticks() - begin);
    element_ = nullptr;
  }

 private:
  Charge charge_ = nullptr;
  const void* element_ = nullptr;
};

}  // namespace kaon::runtime
