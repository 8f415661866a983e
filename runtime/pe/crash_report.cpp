// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/crash_report.hpp"

#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>
#include <string_view>

#include "kaon/runtime/base/abort_reason.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/last_words.hpp"
#include "kaon/runtime/base/short_text.hpp"
#include "kaon/runtime/base/signals.hpp"
#include "kaon/runtime/pe/crash_code.hpp"
#include "kaon/runtime/pe/crash_stack.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {
namespace {

// What the handler reads beside its PE. Written before the handler is there.
std::atomic<int> process_number{0};
std::atomic<bool> is_wanted{false};  // relaxed: asked by threads that were made later
thread_local bool is_reporting = false;

constexpr int kMostFrames = 64;
/// What finds the names of the frames may want a lock that a dead thread holds.
constexpr unsigned kSecondsForTrace = 10;

struct Fault {
  int signal;
  bool was_sent;  // by somebody, as abort() does, and not met by an instruction
  std::uintptr_t address;
  bool has_address;
  std::uintptr_t instruction;
  std::uintptr_t stack_pointer;
};

Fault fault_of(int signal, const siginfo_t& info, const ucontext_t& context) {
  const auto& registers = context.uc_mcontext.gregs;
  const bool was_sent = info.si_code <= 0;
  return {.signal = signal,
          .was_sent = was_sent,
          .address = reinterpret_cast<std::uintptr_t>(info.si_addr),
          // the processor does not tell one that is no address at all
          .has_address = (signal == SIGSEGV || signal == SIGBUS) && !was_sent && info.si_code != SI_KERNEL,
          .instruction = static_cast<std::uintptr_t>(registers[REG_RIP]),
          .stack_pointer = static_cast<std::uintptr_t>(registers[REG_RSP])};
}

std::string_view name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV (it used memory that is not there)";
    case SIGBUS:
      return "SIGBUS (it used memory behind which nothing is)";
    case SIGILL:
      return "SIGILL (it ran what is no instruction)";
    case SIGFPE:
      return "SIGFPE (a division by zero, or one whose result does not fit)";
    default:
      return "SIGABRT (it gave up, as after an assertion)";
  }
}

/// A line a call, so that others cannot come in between.
void write_line(ShortText& line) {
  line << "\n";
  std::string_view left = line.view();
  while (!left.empty()) {
    const ssize_t written = write(STDERR_FILENO, left.data(), left.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
}

void say_what(const Fault& fault, const Pe* pe) {
  ShortText line;
  line << "kaon: process " << process_number.load(std::memory_order_relaxed);
  if (pe != nullptr)
    line << ", PE " << pe->id();
  else
    line << ", a thread that is no PE";
  const StackBounds stack = running_stack();
  if (fault.has_address && is_stack_overflow(stack, fault.address, fault.stack_pointer))
    line << ": stack overflow: recursion that is too deep, or objects that are too large, for a stack of "
         << (stack.bytes >> 10) << " KiB (" << stack.advice << ")";
  else
    line << ": crashed with " << name_of(fault.signal);
  if (fault.has_address) (line << ", at address 0x").in_base(fault.address, 16);
  write_line(line);
}

/// Looks at what the PE runs, which may be what is broken: then the crash in here ends the process.
void say_where(const Pe& pe) {
  ShortText line;
  line << "  in ";
  ShortText place;
  say_running(pe, place);
  if (place.empty()) return;
  line << place.view();
  write_line(line);
}

/// Code of a program that is loaded by other means than the dynamic linker's, in the same form with its name behind.
bool write_loaded_frame(std::uintptr_t address, bool is_return) {
  // A call may be the last instruction of its function.
  const CodePlace place = find_code(is_return ? address - 1 : address);
  if (place.file == nullptr) return false;
  ShortText line;
  (line << place.file << "(+0x").in_base(place.offset + (is_return ? 1 : 0), 16) << ")[0x";
  line.in_base(address, 16) << "]";
  if (!place.function.empty()) line << " " << place.function;
  write_line(line);
  return true;
}

void write_frame(void* const& frame, bool is_return) {
  if (!write_loaded_frame(reinterpret_cast<std::uintptr_t>(frame), is_return))
    backtrace_symbols_fd(&frame, 1, STDERR_FILENO);
}

/// The frames from the first that `is_first` takes on, or all. C++ exceptions have loaded what this needs.
/// `instruction`: what is no address that a call returns to; 0: none.
template <class IsFirst>
void write_trace(IsFirst is_first, std::uintptr_t instruction) {
  std::array<void*, kMostFrames> frames;
  const unsigned others_alarm = alarm(kSecondsForTrace);
  const int count = backtrace(frames.data(), kMostFrames);
  const auto end = frames.begin() + count;
  auto first =
      std::find_if(frames.begin(), end, [&](void* frame) { return is_first(reinterpret_cast<std::uintptr_t>(frame)); });
  if (first == end) first = frames.begin();
  ShortText line;
  line << "  its stack follows, the innermost function first; for names and lines: addr2line -Cfpie PROGRAM +0x...";
  write_line(line);
  for (auto frame = first; frame != end; ++frame)
    write_frame(*frame, reinterpret_cast<std::uintptr_t>(*frame) != instruction);
  alarm(others_alarm);
}

/// From the frame that met the fault on; those above it are the handler's.
void write_trace(const Fault& fault) {
  write_trace([&](std::uintptr_t frame) { return frame == fault.instruction; }, fault.instruction);
}

class CrashWithoutMemory : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "what crashed was given none"; }
};

/// Libraries crash, or give up, where the system gives them no memory. The heap of the C library asks for as much when
/// it has none left.
bool is_without_memory(const Fault& fault) {
  if (fault.signal != SIGSEGV && fault.signal != SIGABRT) return false;
  constexpr std::size_t kOfHeap = std::size_t{1} << 20;
  void* const memory = mmap(nullptr, kOfHeap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno == ENOMEM;
  munmap(memory, kOfHeap);
  return false;
}

void report(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  set_signal_handler(signal, SIG_DFL);
  const Fault fault = fault_of(signal, *info, *static_cast<const ucontext_t*>(context));
  if (!is_reporting) {
    is_reporting = true;
    const bool is_for_memory = is_without_memory(fault);
    const Pe* pe = this_pe_or_null();
    say_what(fault, pe);
    if (pe != nullptr) say_where(*pe);
    write_trace(fault);
    if (is_for_memory) end_by(CrashWithoutMemory(), "");
    if (signal == SIGABRT && AbortReason::text() != nullptr) end_with(kExitUsage, AbortReason::text());
    is_reporting = false;
  }
  errno = error;
  // Back to the instruction, which meets the fault again; a signal that was sent must be sent again.
  if (fault.was_sent) raise(signal);
}

bool is_ours(int signal) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &report;
}

bool take(int signal) {
  struct sigaction before = {};
  sigaction(signal, nullptr, &before);
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return false;
  struct sigaction ours = {};
  ours.sa_sigaction = &report;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  return sigaction(signal, &ours, nullptr) == 0;
}

}  // namespace

CrashReport::CrashReport(const Process& process) {
  if (!process.options().crash_report) return;
  is_wanted.store(true, std::memory_order_relaxed);
  process_number.store(process.seat().process, std::memory_order_relaxed);
  void* frame = nullptr;
  backtrace(&frame, 1);  // the first call loads a library, which a handler must not
  for (Taken& each : signals_) {
    release_signal_of_machine(each.signal);
    each.is_ours = take(each.signal);
  }
}

CrashReport::~CrashReport() {
  is_wanted.store(false, std::memory_order_relaxed);
  for (const Taken& each : signals_)
    if (each.is_ours && is_ours(each.signal)) set_signal_handler(each.signal, SIG_DFL);
}

void write_call_stack() noexcept {
  if (!is_wanted.load(std::memory_order_relaxed)) return;
  write_trace([](std::uintptr_t frame) { return find_code(frame).file != nullptr; }, 0);
}

}  // namespace kaon::runtime
