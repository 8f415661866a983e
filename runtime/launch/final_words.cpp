// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/final_words.hpp"

#include <unistd.h>

#include <string>

namespace kaon::launch {

void say_as(const Seat& seat, std::string_view text) {
  const std::string who = seat.processes > 1 ? "process " + std::to_string(seat.process) + ": " : "";
  const std::string line = "kaon: " + who + std::string(text) + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody reads: nothing to be done
}

}  // namespace kaon::launch
