// SPDX-License-Identifier: Apache-2.0
// A library captures a graph in the global mode, as PyTorch does, on one PE, while another takes memory, waits for
// streams and gives memory back; and the capturing PE takes memory itself meanwhile. Prints "right" at the end. Needs a
// device and --pes 2; run by hand.
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

namespace cuda_capture {

namespace gpu = kaon::gpu;
std::atomic<bool> captures{false}, has_taken{false};
constexpr std::size_t kBytes = std::size_t{256} << 20;

void take(gpu::Stream& stream) {
  gpu::Buffer<std::byte> buffer(kBytes, stream);
  stream.fill(buffer.span(), 1);
}

class Side : public kaon::Chare<Side> {
 public:
  kaon::Task<std::string> use() {
    while (!captures) std::this_thread::yield();  // the other PE is another thread
    std::string said;
    try {
      take(stream_);
      co_await stream_.drained();
      gpu::Pinned<int> pinned(std::size_t{4} << 20, stream_);
      stream_.device().memory().trim_now();
      stream_.device().memory().trim_now();
    } catch (const std::exception& error) {
      said = error.what();
    }
    has_taken = true;
    co_return said;
  }
  std::string capture() {
    cudaError_t ended = cudaSuccess;
    std::string said;
    try {
      stream_.give(
          [&](gpu::NativeStream native) {
            auto* const stream = static_cast<cudaStream_t>(native);
            cudaGraph_t graph = nullptr;
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
            captures = true;
            while (!has_taken) std::this_thread::yield();
            take(other_);
            try {
              gpu::Stream::adopt(native);
            } catch (const kaon::UsageError& error) {
              said = error.what();
            }
            ended = cudaStreamEndCapture(stream, &graph);
            if (graph != nullptr) cudaGraphDestroy(graph);
          },
          [] {});
    } catch (const std::exception& error) {
      return error.what();
    }
    if (said.find("captures a graph") == said.npos) return "a stream that captures was adopted";
    return ended == cudaSuccess ? "" : cudaGetErrorName(ended);
  }

 private:
  gpu::Stream stream_, other_;
};

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string>) {
  const auto sides = co_await runtime.create_group<Side>();
  auto used = sides[1].call<&Side::use>();
  auto captured = sides[0].call<&Side::capture>();
  const auto [one, other] = co_await kaon::all(std::move(used), std::move(captured));
  std::printf("%s\n", one.empty() && other.empty() ? "right" : ("wrong: " + one + "; " + other).c_str());
  co_return one.empty() && other.empty() ? 0 : 1;
}

}  // namespace cuda_capture

int main(int argc, char** argv) { return kaon::run(argc, argv, cuda_capture::run, kaon::with_devices); }
