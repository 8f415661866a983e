// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/program_hooks.hpp"

#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>

#include "kaon/ampi_shim/program/forked_child.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/chares/waits/waits.hpp"
#include "kaon/runtime/pe/crash_report.hpp"

namespace kaon::ampi {
namespace {

bool write(void* owner, int stream, const char* data, std::size_t bytes) {
  return static_cast<Rank*>(owner)->output().write(stream, {data, bytes});
}

/// Standard input is rank 0's.
std::size_t read(void* owner, char* into, std::size_t bytes) {
  if (static_cast<Rank*>(owner)->number() != 0) return 0;
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, into, bytes);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

void abort(void* owner) {
  write_call_stack();
  static_cast<Rank*>(owner)->abort(128 + SIGABRT, "has called abort(), or failed an assertion");
}

/// Operations of the program may run beside it, on strands that nothing leads away from, and so may threads.
void ends(void* owner, int code) {
  auto& rank = *static_cast<Rank*>(owner);
  if (current_strand_or_null() == nullptr)
    rank.abort(code,
               "has called exit() with code " + std::to_string(code) +
                   " on a thread that its program has made, which ends all ranks; return from main, or exit there");
  if (!rank.runs_program()) rank.abort(code, "has called exit() in a function that MPI has called");
}

// --- in the place of functions of the C library. On a thread or in a process that the program has made itself they are
// what they were.

Strand* strand_that_calls() { return is_forked_child() ? nullptr : current_strand_or_null(); }

// Programs yield in loops, so without a system call each time.
int yield() {
  Strand* const strand = is_child_of_fork() ? nullptr : current_strand_or_null();
  if (strand != nullptr) strand->yield();
  return 0;
}

int sleep_for(std::chrono::nanoseconds time) {
  Strand* const strand = strand_that_calls();
  if (strand == nullptr) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    const timespec wanted{seconds.count(), (time - seconds).count()};
    return nanosleep(&wanted, nullptr);
  }
  strand->wait(Sleep(strand->rank().scheduler(), time));
  return 0;
}

unsigned sleep_seconds(unsigned seconds) {
  sleep_for(std::chrono::seconds(seconds));
  return 0;
}

int sleep_microseconds(useconds_t time) { return sleep_for(std::chrono::microseconds(time)); }

bool is_time(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }

std::chrono::nanoseconds length_of(const timespec& time) {
  return Sleep::clamped(std::chrono::seconds(time.tv_sec)) + std::chrono::nanoseconds(time.tv_nsec);
}

int sleep_time(const timespec* wanted, timespec* left) {
  if (!is_time(*wanted)) {
    errno = EINVAL;
    return -1;
  }
  if (left != nullptr) *left = {};
  return sleep_for(length_of(*wanted));
}

int sleep_by_clock(clockid_t clock, int flags, const timespec* wanted, timespec* left) {
  if (!is_time(*wanted)) return EINVAL;
  timespec now{};
  if ((flags & TIMER_ABSTIME) != 0 && clock_gettime(clock, &now) != 0) return errno;
  const auto length = length_of(*wanted) - length_of(now);
  if (left != nullptr && (flags & TIMER_ABSTIME) == 0) *left = {};
  return length.count() > 0 ? sleep_for(length) : 0;
}

template <class Function>
Replacement replacement(std::string_view name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

const std::array replacements{
    replacement("sched_yield", &yield),    replacement("pthread_yield", &yield),
    replacement("sleep", &sleep_seconds),  replacement("usleep", &sleep_microseconds),
    replacement("nanosleep", &sleep_time), replacement("clock_nanosleep", &sleep_by_clock),
};

}  // namespace

ProgramHooks program_hooks() {
  ProgramHooks hooks;
  hooks.write = &write;
  hooks.read = &read;
  hooks.abort = &abort;
  hooks.ends = &ends;
  hooks.replacements = replacements;
  return hooks;
}

}  // namespace kaon::ampi
