// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::launch {

// Wakes a thread that polls it. Any thread may ring.
class Wake {
 public:
  Wake();

  [[nodiscard]] int descriptor() const noexcept { return event_.number(); }
  void ring() const;
  void quiet() const;

 private:
  Descriptor event_;
};

// A thread that no signal interrupts: those of the program are for its own threads.
std::thread start_without_signals(std::function<void()> run);

}  // namespace kaon::launch
