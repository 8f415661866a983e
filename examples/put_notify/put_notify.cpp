// SPDX-License-Identifier: Apache-2.0
// The sum of the vectors of all PEs, by kernels that put and notify: they post requests to queue pairs, whose adapter
// is emulated, and the host does nothing between the first round and the last.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>
#include <kaon/queue_pair.hpp>

#include "put_notify.kernels.hpp"

namespace gpu = kaon::gpu;
constexpr std::uint32_t kCount = 10'000;

/// One a PE, with a queue pair to each neighbour of the ring.
class Part : public kaon::Chare<Part> {
 public:
  explicit Part(std::uint32_t parts) : parts_(parts), vectors_(std::size_t{parts} * kCount, stream_) {
    stream_.for_each(kCount, FillVector{vectors_.data(), static_cast<float>(index().x + 1)});
    stream_.fill(notices_.span(), 0);
    stream_.fill(failures_.span(), 0);
    own_ = adapter_->add("vectors", vectors_);
    flags_ = adapter_->add("notices", notices_);
  }
  /// For the left neighbour, which connects its right end with it.
  gpu::QueueOffer offer_left() { return left_.offer({own_, flags_}); }
  gpu::QueueOffer offer_right() { return right_.offer({}); }

  kaon::Task<int> connect() {
    const int parts = static_cast<int>(parts_), place = index().x;
    const auto right = array()[(place + 1) % parts], left = array()[(place + parts - 1) % parts];
    const auto [of_right, of_left] =
        co_await kaon::all(right.call<&Part::offer_left>(), left.call<&Part::offer_right>());
    right_.connect(of_right);
    left_.connect(of_left);
    co_await stream_.drained();  // the notices are 0 before any comes
    co_return 1;
  }
  /// How many elements of the sum are right.
  kaon::Task<int> sum() {
    const gpu::PutWindow window{right_.queue(), own_, right_.remote(0), right_.remote(1)};
    stream_.launch({{1}, {64}}, SumAround{window, vectors_.data(), notices_.data(), kCount, parts_ - 1, sum_.data(),
                                          failures_.data()});
    gpu::Pinned<float> sum(kCount, stream_);
    gpu::Pinned<std::uint32_t> failures(1, stream_);
    stream_.copy(sum, sum_.span());
    stream_.copy(failures, failures_.span());
    co_await stream_.drained();
    const auto triangle = parts_ * (parts_ + 1) / 2;
    const auto expected = static_cast<float>(triangle);
    co_return failures[0] == 0 ? static_cast<int>(std::count(sum.span().begin(), sum.span().end(), expected)) : 0;
  }
  /// When all have their sums.
  kaon::Task<int> close() {
    co_await right_.close();
    co_await left_.close();
    co_return 1;
  }

 private:
  std::uint32_t parts_;
  gpu::Stream stream_;
  gpu::Buffer<float> vectors_;  // of this PE, and those that come
  gpu::Buffer<float> sum_{kCount, stream_};
  gpu::Buffer<std::uint32_t> notices_{1024, stream_};
  gpu::Buffer<std::uint32_t> failures_{1, stream_};
  std::shared_ptr<gpu::Adapter> adapter_ = gpu::Adapter::start();
  gpu::SegmentNumber own_, flags_;
  gpu::QueuePair left_{adapter_, stream_}, right_{adapter_, stream_};
};

kaon::Task<int> put_notify(kaon::Runtime& runtime) {
  const auto count = static_cast<std::uint32_t>(runtime.pes());
  const auto parts = co_await runtime.create_group<Part>(count);
  co_await parts.call_all<&Part::connect>(kaon::sum);
  const int right = co_await parts.call_all<&Part::sum>(kaon::sum);
  co_await parts.call_all<&Part::close>(kaon::sum);
  const std::uint32_t expected = count * kCount;
  std::printf("%d of %u elements are right (emulated adapters)\n", right, expected);
  co_return right == static_cast<int>(expected) ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, put_notify, kaon::with_devices); }
