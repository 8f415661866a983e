// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/raw_ucx/staging.hpp"

#include <algorithm>

#include "bench/gpu/floors/cuda.hpp"
#include "bench/gpu/raw_ucx/pinned_memory.hpp"

namespace kaon::bench {

void measure_host_copies(const Report& report) {
  constexpr std::size_t kLargest = std::size_t{256} << 20;
  constexpr int kRepetitions = 9;
  const DeviceMemory device(0, kLargest);
  const PinnedMemory host(kLargest);
  const Stream stream(0);
  const auto measure = [&](const std::string& which, void* to, const void* from, std::size_t bytes) {
    const int copies = static_cast<int>(std::clamp<std::size_t>(kLargest / bytes, 1, 64));
    const double ms = time_ms(stream, 0, kRepetitions, [&] {
      for (int i = 0; i < copies; ++i) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copy");
    });
    report.add("staged: " + which + " " + std::to_string(bytes) + " B",
               static_cast<double>(bytes) * copies / (ms * 1e6), "GB/s");
  };
  for (std::size_t bytes = std::size_t{64} << 10; bytes <= kLargest; bytes *= 4) {
    measure("device to pinned", host.data(), device.data(), bytes);
    measure("pinned to device", device.data(), host.data(), bytes);
  }
}

}  // namespace kaon::bench
