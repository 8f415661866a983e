// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/interruption.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>

#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/base/signals.hpp"

namespace kaon::launch {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
// A reader that is asleep for longer gets no more.
constexpr std::chrono::milliseconds kPatience{1000};

// What the handler may touch. The signal is stored before the event is raised, whose reader has it by that system call;
// relaxed.
std::atomic<int> event{-1};  // -1: nobody listens
std::atomic<int> signal_that_came{0};

void note(int signal) {
  const int before = errno;
  signal_that_came.store(signal, std::memory_order_relaxed);
  const std::uint64_t one = 1;
  if (write(event.load(std::memory_order_relaxed), &one, sizeof one) < 0) {
    // It has come before: the reader knows.
  }
  errno = before;
}

using runtime::set_signal_handler;
using runtime::signal_handler_of;

bool has_handler(int signal, runtime::SignalHandler handler) { return signal_handler_of(signal) == handler; }

// Taken before main, when only libraries have handlers: UCX has one that begins to log when a terminal goes, and lets
// the program live.
const runtime::SignalHandler hangup_handler_of_library = signal_handler_of(SIGHUP);

bool is_unanswered(int signal) {
  const runtime::SignalHandler handler = signal_handler_of(signal);
  const bool is_librarys = signal == SIGHUP && handler != SIG_IGN && handler == hangup_handler_of_library;
  return handler == SIG_DFL || is_librarys;
}

}  // namespace

Interruption::Interruption() {
  int none = -1;
  Descriptor made(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!made.is_open() || !event.compare_exchange_strong(none, made.number())) return;
  event_ = std::move(made);
  // The calls that it interrupts go on; the second of its kind meets the default.
  for (const int signal : kSignals)
    if (is_unanswered(signal)) set_signal_handler(signal, note, SA_RESTART | static_cast<int>(SA_RESETHAND));
}

Interruption::~Interruption() {
  if (!event_.is_open()) return;
  for (const int signal : kSignals)
    if (has_handler(signal, note)) set_signal_handler(signal, SIG_DFL);
  event.store(-1);
}

bool Interruption::has_come() const { return signal_that_came.load(std::memory_order_relaxed) != 0; }

void let_user_signal_pass() {
  if (has_handler(SIGUSR1, SIG_DFL)) set_signal_handler(SIGUSR1, SIG_IGN);
}

void Interruption::obey() const {
  flush_output(kPatience);
  const int signal = signal_that_came.load(std::memory_order_relaxed);
  runtime::die_of(signal);
  _exit(128 + signal);
}

}  // namespace kaon::launch
