// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/ports/seat.hpp"

namespace kaon::runtime {

class Bootstrap;
class Pe;

/// While one is alive, an error of memory that leads to std::terminate() ends the process with the code of memory and
/// a sentence: one that leaves a thread, a destructor or a function that is noexcept, as handlers of errors are. Other
/// errors go to the handler that was there before. They may be nested; the innermost one's seat is named.
class OutOfMemoryHandler {
 public:
  explicit OutOfMemoryHandler(const Seat& seat = {}) noexcept;
  OutOfMemoryHandler(const OutOfMemoryHandler&) = delete;
  OutOfMemoryHandler& operator=(const OutOfMemoryHandler&) = delete;
  ~OutOfMemoryHandler();

 private:
  int process_before_;
};

/// Ends the run because of an error that is outside of all PEs: once for all processes where there is memory to reach
/// them. Takes none itself.
[[noreturn]] void end_run_by(const std::exception& error, Bootstrap& bootstrap) noexcept;

/// Ends the process at once because of an error that this PE (nullptr: none) has met. Takes no memory.
[[noreturn]] void end_by(const std::exception& error, const Seat& seat, const Pe* pe) noexcept;

}  // namespace kaon::runtime
