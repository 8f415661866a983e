// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Code that the dynamic linker has not loaded: which file it is of, and where in there.
struct CodePlace {
  const char* file = nullptr;  // nullptr: unknown
  std::uintptr_t offset = 0;   // as addr2line counts
  std::string_view function;   // empty: unknown
};

/// From now on a crash asks this for the code at addresses in its stack. It runs in a signal handler. nullptr: nobody.
void set_code_finder(CodePlace (*finder)(std::uintptr_t address) noexcept) noexcept;

/// Returns the answer of the finder, or an unknown place without one.
CodePlace find_code(std::uintptr_t address) noexcept;

}  // namespace kaon::runtime
