// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/gpu/puts/puts.kernels.hpp"
#include "kaon/gpu/puts/put_starts.hpp"

namespace put_bench {

/// Same as PostPuts, by a kernel that starts Kaon's prepared copies itself: 100 at most.
struct DirectPuts {
  kaon::gpu::PutStarts starts;
  Ends source;
  FlagWord answer;
  std::uint32_t count;
  std::uint32_t* ns;
};

/// The kernel as a graph of the current device, as only kernels of graphs start graphs.
void* prepare_direct_puts(const DirectPuts& puts, void* stream);
void launch_direct_puts(void* prepared, void* stream);
void end_direct_puts(void* prepared);

}  // namespace put_bench
