// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <signal.h>

#include <array>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

class Process;

/// While one is alive, a crash of this process (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) first says on stderr which
/// entry of which PE it was, and the stack; then it goes on as if nobody had looked, with its exit status and core
/// dump. Signals that the program or a sanitizer handles are left to them. One at a time.
class CrashReport {
 public:
  /// Does nothing for a process that wants no report (--no-crash-report).
  explicit CrashReport(const Process& process);
  CrashReport(const CrashReport&) = delete;
  CrashReport& operator=(const CrashReport&) = delete;
  ~CrashReport();

 private:
  struct Taken {
    int signal;
    bool is_ours;
  };
  std::array<Taken, 5> signals_{
      {{SIGSEGV, false}, {SIGBUS, false}, {SIGILL, false}, {SIGFPE, false}, {SIGABRT, false}}};
};

/// For an end that is no crash, such as abort(): says on stderr which functions lead here, as a crash would. Where the
/// code finder knows code, this begins there: what is above only tells of the end. Without a CrashReport it does
/// nothing.
void write_call_stack() noexcept;

}  // namespace kaon::runtime
