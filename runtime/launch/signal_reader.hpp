// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::launch {

// Reads signals that are blocked, so that they come between other events.
class SignalReader {
 public:
  // Throws UsageError when the system has no descriptor left.
  explicit SignalReader(const sigset_t& wanted);

  [[nodiscard]] int descriptor() const noexcept { return signals_.number(); }
  // The next that has come; 0: none.
  int next();

 private:
  Descriptor signals_;
};

}  // namespace kaon::launch
