// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::ampi {

/// The lowest handle that is an address; predefined handles are lower.
inline constexpr std::uintptr_t kFirstAddress = 0x1000;

/// An integer for a handle, of the calling rank: itself for predefined handles, which are small; for addresses of
/// objects one that is kept, the same as long as the program runs. 0 on a thread that is no rank's.
int handle_number(std::uintptr_t handle) noexcept;
/// The handle of such an integer; 0: there is none.
std::uintptr_t handle_of_number(int number) noexcept;

}  // namespace kaon::ampi
