// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/crash_code.hpp"

#include <atomic>

namespace kaon::runtime {
namespace {

// Set before there is such code; relaxed.
std::atomic<CodePlace (*)(std::uintptr_t) noexcept> code_finder{nullptr};

}  // namespace

void set_code_finder(CodePlace (*finder)(std::uintptr_t address) noexcept) noexcept {
  code_finder.store(finder, std::memory_order_relaxed);
}

CodePlace find_code(std::uintptr_t address) noexcept {
  const auto finder = code_finder.load(std::memory_order_relaxed);
  return finder != nullptr ? finder(address) : CodePlace{};
}

}  // namespace kaon::runtime
