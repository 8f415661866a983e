// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/final_words.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

constexpr std::chrono::milliseconds kReadersTime{300};

// False where it is another thing.
bool is_unread_pipe(int descriptor) {
  struct stat found {};
  int bytes = 0;
  return fstat(descriptor, &found) == 0 && S_ISFIFO(found.st_mode) && ioctl(descriptor, FIONREAD, &bytes) == 0 &&
         bytes > 0;
}

}  // namespace

void let_output_be_read() {
  const auto until = std::chrono::steady_clock::now() + kReadersTime;
  while ((is_unread_pipe(STDOUT_FILENO) || is_unread_pipe(STDERR_FILENO)) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

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
