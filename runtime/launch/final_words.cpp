// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/final_words.hpp"

#include <unistd.h>

#include <string>
#include <thread>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

void say_as(const Seat& seat, std::string_view text) {
  const std::string who = seat.processes > 1 ? "process " + std::to_string(seat.process) + ": " : "";
  const std::string line = "kaon: " + who + std::string(text) + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody reads: nothing to be done
}

void give_precedence(const Seat& seat, int code) {
  if (seat.process == 0) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(code == kExitUsage ? 2000 : 100));
}

}  // namespace kaon::launch
