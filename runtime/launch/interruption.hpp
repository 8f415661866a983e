// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::launch {

// Left to themselves, SIGINT, SIGTERM and SIGHUP end a process at once, with what it has printed and still holds. This
// takes those that nobody else has taken or ignores, so that the output can be written first. A second one ends the
// process at once. One at a time; a second object takes nothing.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // Becomes readable when one has come.
  [[nodiscard]] int descriptor() const noexcept { return event_.number(); }
  [[nodiscard]] bool has_come() const;
  // Writes the output out, then ends the process by the signal that has come.
  [[noreturn]] void obey() const;

 private:
  Descriptor event_;
};

// SIGUSR1 asks a process what it waits for. Until somebody answers it must not end the process, as it would.
void let_user_signal_pass();

}  // namespace kaon::launch
