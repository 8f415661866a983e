// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/outside.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

Outside::Outside(Pe& pe) : gate_(Gate::open(pe)) {}

namespace outside {

void throw_unnamed() {
  throw UsageError("an Outside names no PE: it was made by default; runtime.outside() gives one");
}

void throw_ended(const char* how) {
  throw RunEnded(std::string("Outside::") + how + "(): the run is over, and nothing runs any more");
}

void require_no_pe() {
  if (this_pe_or_null() != nullptr)
    throw UsageError(
        "Outside::call() on the thread of a PE, whose future would wait for this very thread: await the task itself, "
        "or use post()");
}

std::exception_ptr ended_before_value() {
  return std::make_exception_ptr(RunEnded("Outside::call(): the run ended before the value was there"));
}

void ForNobody::fail(Pe& pe, std::exception_ptr error) const noexcept {
  pe.fail(std::move(error), "what a thread that is no PE has posted");
}

}  // namespace outside
}  // namespace kaon::chares
