// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::runtime {

/// Lets the C library's heap keep what programs free instead of giving it back to the system and taking it again, page
/// by page: vectors of a message come and go, and the pages of 1 MiB cost as much as sending it. Nothing changes where
/// the environment says how the heap is to be (GLIBC_TUNABLES, MALLOC_...), and for the heaps of other C libraries.
void keep_freed_memory() noexcept;

}  // namespace kaon::runtime
