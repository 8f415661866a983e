// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/abort_reason.hpp"

#include <utility>

namespace kaon::runtime {
namespace {

thread_local const char* current = nullptr;

}  // namespace

AbortReason::AbortReason(const char* text) noexcept : before_(std::exchange(current, text)) {}
AbortReason::~AbortReason() { current = before_; }

const char* AbortReason::text() noexcept { return current; }

}  // namespace kaon::runtime
