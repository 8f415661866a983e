// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "kaon/runtime/launch/interruption.hpp"
#include "kaon/runtime/launch/wake.hpp"

namespace kaon::launch {

// A thread that waits for an interruption of this process, as long as it lives, and obeys it.
class InterruptionWatch {
 public:
  InterruptionWatch();
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;
  ~InterruptionWatch();

 private:
  void watch() const;

  Interruption interruption_;
  Wake stop_;
  std::thread watcher_;
};

}  // namespace kaon::launch
