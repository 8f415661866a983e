// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/read_only.hpp"

#include "kaon/runtime/base/error.hpp"

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

void throw_unset(const Pe* pe) {
  if (pe == nullptr)
    throw UsageError("a kaon::ReadOnly was read by a thread that is no PE's: read it on a PE, and hand the value over");
  throw UsageError(
      "a kaon::ReadOnly was read that has not been set: let main await its set() before it makes anything");
}

}  // namespace kaon::chares::read_only
