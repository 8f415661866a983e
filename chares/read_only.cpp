// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/read_only.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares::read_only {

void check_setting(Pe& pe, std::uint32_t number) {
  const ReadOnlyValues& values = pe.process().read_only_values();
  if (!values.has(number))
    throw UsageError(
        "a kaon::ReadOnly was set that was made during the run, of which other processes know nothing: make it at "
        "namespace scope");
  if (values.find(number) != nullptr) throw_set_twice();
  if (pe.collections().had_any())
    throw UsageError(
        "a kaon::ReadOnly was set when chares had been made, which may have looked for it: let main set it first");
}

void throw_set_twice() {
  throw UsageError("a kaon::ReadOnly was set that is set already: it has one value for the whole run");
}

void throw_unset() {
  if (this_scheduler_or_null() == nullptr)
    throw UsageError("a kaon::ReadOnly was read by a thread that is no PE's: read it on a PE, and hand the value over");
  throw UsageError(
      "a kaon::ReadOnly was read that has not been set: let main await its set() before it makes anything");
}

const void* find(std::uint32_t number) noexcept {
  Scheduler* const here = this_scheduler_or_null();
  return here != nullptr ? static_cast<Pe*>(here)->process().read_only_values().find(number) : nullptr;
}

bool set(Pe& pe, std::uint32_t number, std::unique_ptr<const void, void (*)(const void*)> value) {
  return pe.process().read_only_values().set(number, std::move(value));
}

std::vector<PeId> first_pes(Pe& pe) {
  const Roster& roster = pe.process().roster();
  std::vector<PeId> pes;
  for (int process = 0; process < roster.processes(); ++process) pes.push_back(roster.first_pe(process));
  return pes;
}

}  // namespace kaon::chares::read_only
