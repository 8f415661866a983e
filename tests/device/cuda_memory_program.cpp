// SPDX-License-Identifier: Apache-2.0
// Memory that a program takes from CUDA itself, on two processes: from cudaMalloc it goes directly, from an
// asynchronous pool through the host, and the report says so. Needs two devices; run by bench/gpu/campaign.sh.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <string>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/pattern_kernels.hpp"

namespace cuda_memory {

constexpr std::size_t kCount = 100'000;
const kaon::gpu::Grid kGrid{{64}, {256}};

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw kaon::UsageError(std::string(what) + ": " + cudaGetErrorString(error));
}

class Node : public kaon::Chare<Node> {
 public:
  kaon::Inbox<kaon::Payload<int>> arrived;

  /// Takes memory, sends a pattern from it to the partner, and counts what was wrong in what the partner sent.
  kaon::Task<double> exchange(bool from_pool) {
    int* memory = nullptr;
    if (from_pool)
      check(cudaMallocAsync(reinterpret_cast<void**>(&memory), kCount * sizeof(int), nullptr), "cudaMallocAsync");
    else
      check(cudaMalloc(reinterpret_cast<void**>(&memory), kCount * sizeof(int)), "cudaMalloc");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    double wrong = 0;
    {
      const kaon::gpu::Registration registration(memory, kCount * sizeof(int));
      std::printf("PE %u: %s\n", pe(), registration.staged_because().c_str());
      stream_.launch(kGrid, kaon::testing::WritePattern{memory, kCount, 7});
      kaon::Payload<int> payload(registration.part<int>(0, kCount), stream_);
      kaon::Sent sent(payload);
      array()[1 - index().x].send<&Node::arrived>(std::move(payload));
      kaon::Payload<int> values = co_await arrived.next();
      kaon::gpu::Buffer<double> count(1, stream_);
      kaon::gpu::Pinned<double> result(1, stream_);
      stream_.fill(count.span(), 0);
      stream_.launch(kGrid, kaon::testing::CheckPattern{values.view(stream_).data(), kCount, 7, count.data()});
      stream_.copy(result, count.span());
      co_await stream_.drained();
      wrong = result[0];
      co_await sent;
    }
    check(from_pool ? cudaFreeAsync(memory, nullptr) : cudaFree(memory), "freeing");
    co_return wrong;
  }

 private:
  kaon::gpu::Stream stream_;
};

kaon::Task<int> run(kaon::Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2);
  const double plain = co_await nodes.call_all<&Node::exchange>(kaon::max, false);
  const kaon::runtime::TransferReport first = co_await runtime.transfers();
  const double pool = co_await nodes.call_all<&Node::exchange>(kaon::max, true);
  const kaon::runtime::TransferReport second = co_await runtime.transfers();
  const bool is_right = plain == 0 && pool == 0 && first[kaon::runtime::Route::direct].payloads == 2 &&
                        second.staged() == 2 && second.fallbacks.size() == 1;
  std::printf("%s%s\n", kaon::runtime::to_text(second).c_str(), is_right ? "right" : "wrong");
  co_return is_right ? 0 : 1;
}

}  // namespace cuda_memory

int main(int argc, char** argv) { return kaon::run(argc, argv, cuda_memory::run, kaon::with_devices); }
