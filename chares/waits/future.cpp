// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/future.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares::futures {

void throw_empty() {
  throw UsageError("this future waits for nothing: it was made by default, moved from or ignored; runtime.future<T>()");
}

void throw_awaited_twice() {
  throw UsageError("a future was awaited a second time: it gives its value once, to one; keep the value");
}

void throw_not_expected(PeId pe) {
  throw UsageError("a future of PE " + std::to_string(pe) +
                   " was told again, or is no more: it is told once, while it is there; ignore() one whose value is "
                   "not wanted any more");
}

Pe& calling_pe(PeId to) {
  Pe* const pe = this_pe_or_null();
  if (pe == nullptr) throw UsageError("a callback was sent by a thread that is no PE's");
  const PeId pes = pe->process().total_pes();
  if (to >= pes)
    throw UsageError("a callback leads to PE " + std::to_string(to) + ": the run has PEs 0 to " +
                     std::to_string(pes - 1));
  return *pe;
}

std::string describe(PeId pe) { return "for a future of PE " + std::to_string(pe) + " to be told"; }

std::uint64_t as_number(ReplyTo slot) { return std::uint64_t{slot.generation} << 32 | slot.slot; }
ReplyTo as_slot(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
}

}  // namespace kaon::chares::futures
