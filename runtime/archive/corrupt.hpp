// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kaon/runtime/base/namespaces.hpp"

// Where reading ends when bytes make no sense (CorruptMessage), and writing when a value cannot be read again
// (UsageError).
namespace kaon::runtime::archive {

[[noreturn, gnu::cold]] void throw_truncated(std::size_t wanted, std::size_t remaining);
[[noreturn, gnu::cold]] void throw_count(std::size_t claimed, std::size_t remaining);
[[noreturn, gnu::cold]] void throw_value(const char* what);
[[noreturn, gnu::cold]] void throw_nested_too_deep();

}  // namespace kaon::runtime::archive
