// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/runtime/base/signals.hpp"

// The process hears signals of the user: to end in peace, and to tell what it waits for. A program that sends one to
// itself, and has no handler of its own for it, means its default: it ends the process.
namespace kaon::ampi {
namespace {

extern "C" const char __executable_start, etext;  // of ampirun, by the linker; its handlers lie between

bool is_ours(runtime::SignalHandler handler) {
  const auto address = reinterpret_cast<std::uintptr_t>(handler);
  return address >= reinterpret_cast<std::uintptr_t>(&__executable_start) &&
         address < reinterpret_cast<std::uintptr_t>(&etext);
}

/// Not those of crashes, which are reported.
void let_default_act(int signal) {
  constexpr int kHeard[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR1};
  if (std::find(std::begin(kHeard), std::end(kHeard), signal) == std::end(kHeard)) return;
  if (is_ours(runtime::signal_handler_of(signal))) runtime::set_signal_handler(signal, SIG_DFL);
}

int raise_signal(int signal) {
  let_default_act(signal);
  return ::raise(signal);
}

int signal_process(pid_t process, int signal) {
  if (process == 0 || process == ::getpid()) let_default_act(signal);
  return ::kill(process, signal);
}

int signal_with_value(pid_t process, int signal, const sigval value) {
  if (process == ::getpid()) let_default_act(signal);
  return ::sigqueue(process, signal, value);
}

int signal_thread(pthread_t thread, int signal) {
  let_default_act(signal);
  return ::pthread_kill(thread, signal);
}

}  // namespace

std::span<const Replacement> signal_functions() {
  static const Replacement all[] = {
      replace("raise", raise_signal),
      replace("kill", signal_process),
      replace("sigqueue", signal_with_value),
      replace("pthread_kill", signal_thread),
  };
  return all;
}

}  // namespace kaon::ampi
