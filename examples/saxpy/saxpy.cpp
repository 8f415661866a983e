// SPDX-License-Identifier: Apache-2.0
// A ring of chares, each with a vector in GPU memory: y += 2 x with the vector of the left neighbour as x. The vectors
// go from GPU memory to GPU memory, and no PE waits for a device.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "saxpy.kernels.hpp"

constexpr int kBlocks = 8;
constexpr std::size_t kCount = 1 << 20;

class Block : public kaon::Chare<Block> {
 public:
  Block() { stream_.for_each(kCount, Fill{y_.data(), own_value()}); }

  /// Sends a vector to the right, which leaves when the kernel that fills it is done.
  void start(kaon::Element<Block> right) {
    kaon::gpu::Buffer<float> x(kCount, stream_);
    stream_.for_each(kCount, Fill{x.data(), own_value()});
    right.send<&Block::add>(2.0F, kaon::Payload(std::move(x), stream_));
  }

  /// Runs when the vector is in this GPU's memory.
  void add(float a, kaon::Payload<float> x) { stream_.for_each(kCount, Saxpy{y_.data(), x.view(stream_).data(), a}); }

  /// Where it lands; without a rule, in a pooled buffer.
  kaon::Landing post(kaon::PostFor<&Block::add>, float, const kaon::Payload<float>&) {
    return kaon::Landing::into(landing_.span(), stream_);
  }

  /// How many elements of y are what they must be. Other entries of the PE run while the copy does.
  kaon::Task<int> count_right() {
    kaon::gpu::Pinned<float> y(kCount, stream_);
    stream_.copy(y, y_.span());
    co_await stream_.drained();
    const int left = (index().x + kBlocks - 1) % kBlocks;
    const float expected = own_value() + 2 * static_cast<float>(left);
    co_return static_cast<int>(std::count(y.span().begin(), y.span().end(), expected));
  }

 private:
  float own_value() const { return static_cast<float>(index().x); }

  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<float> y_{kCount, stream_};
  kaon::gpu::Buffer<float> landing_{kCount, stream_};
};

kaon::Task<int> saxpy(kaon::Runtime& runtime) {
  const auto blocks = co_await runtime.create<Block>(kBlocks);
  for (int i = 0; i < kBlocks; ++i) blocks[i].send<&Block::start>(blocks[(i + 1) % kBlocks]);
  co_await runtime.quiescence();  // until no message is under way
  const int right = co_await blocks.call_all<&Block::count_right>(kaon::sum);
  std::printf("%d of %zu elements are right\n", right, kBlocks * kCount);
  co_return static_cast<std::size_t>(right) == kBlocks* kCount ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, saxpy, kaon::with_devices); }
