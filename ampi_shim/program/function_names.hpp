// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <link.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace kaon::ampi {

/// The function whose code is at this address of an executable, by the symbol table in these bytes of its file, as the
/// linker wrote its name. Empty: unknown, as in a file without symbols. It takes no memory, so that a signal handler
/// may ask.
std::string_view function_at(std::span<const std::byte> file, ElfW(Addr) address) noexcept;

}  // namespace kaon::ampi
