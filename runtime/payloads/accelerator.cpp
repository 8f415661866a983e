// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/accelerator.hpp"

#include <utility>

namespace kaon::runtime {
namespace {

thread_local Accelerator* current = nullptr;

}  // namespace

[[gnu::noinline]] Accelerator* this_accelerator() noexcept { return current; }
Accelerator* switch_accelerator(Accelerator* accelerator) noexcept { return std::exchange(current, accelerator); }

}  // namespace kaon::runtime
