// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/puts/direct_puts.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"
#include "kaon/gpu/puts/copy_starter.hpp"

namespace put_bench {

namespace vendor = kaon::gpu::vendor;

__global__ void post_directly(const DirectPuts puts) {
  kaon::gpu::CooperativeContext at;
  for (std::uint32_t i = 0; i < puts.count; ++i) {
    const std::uint32_t put = i % puts.starts.puts;
    puts.source.write(put, i + 1);
    const std::uint64_t begin = at.nanoseconds();
    if (puts.starts.start<kaon::gpu::CopyStarter>(at, put, i + 1) != kaon::gpu::PutFault::none) return;
    if (!at.wait_for(puts.answer, i + 1)) return;
    puts.ns[i] = static_cast<std::uint32_t>(at.nanoseconds() - begin);
  }
}

void* prepare_direct_puts(const DirectPuts& puts, void* stream) {
  void* arguments[] = {const_cast<DirectPuts*>(&puts)};
  vendor::Graph graph{};
  const vendor::Status status = vendor::make_kernel_graph(&graph, reinterpret_cast<const void*>(&post_directly), 1,
                                                          arguments, static_cast<vendor::Stream>(stream));
  if (status != vendor::kSuccess) kaon::gpu::check_vendor(status, "prepare a kernel that starts copies");
  return graph;
}

void launch_direct_puts(void* prepared, void* stream) {
  const vendor::Status status =
      vendor::launch_graph(static_cast<vendor::Graph>(prepared), static_cast<vendor::Stream>(stream));
  if (status != vendor::kSuccess) kaon::gpu::check_vendor(status, "launch a kernel that starts copies");
}

void end_direct_puts(void* prepared) { static_cast<void>(vendor::destroy_graph(static_cast<vendor::Graph>(prepared))); }

}  // namespace put_bench
