// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/pattern_kernels.hpp"

namespace kaon::testing {

/// One a PE: it shares a buffer, whose values a kernel of the next PE checks and writes where they lie.
class SegmentNode : public Chare<SegmentNode> {
 public:
  /// Returns 1 if both saw what the other had written, else 0.
  Task<int> share(int seed) {
    stream_.launch(kGrid, WritePattern{cells_.data(), cells_.size(), seed});
    co_await stream_.drained();
    const auto next = array()[(index().x + 1) % array().shape().x];
    const int was_right = co_await next.call<&SegmentNode::change>(gpu::share_segment(cells_), seed);
    const double wrong = co_await wrong_in(cells_.span(), seed + 1);
    co_return was_right == 1 && wrong == 0 ? 1 : 0;
  }
  Task<int> change(gpu::SegmentRange range, int seed) {
    const gpu::Span<int> cells = gpu::open_segment<int>(range);
    const double wrong = co_await wrong_in(cells, seed);
    stream_.launch(kGrid, WritePattern{cells.data(), cells.size(), seed + 1});
    co_await stream_.drained();
    co_return cells.size() == kInts&& wrong == 0 ? 1 : 0;
  }

 private:
  static constexpr std::size_t kInts = 10'000;
  static constexpr gpu::Grid kGrid{{8}, {64}};
  Task<double> wrong_in(gpu::Span<const int> values, int seed) {
    gpu::Buffer<double> wrong(1, stream_);
    gpu::Pinned<double> seen(1, stream_);
    stream_.fill(wrong.span(), 0);
    stream_.launch(kGrid, CheckPattern{values.data(), values.size(), seed, wrong.data()});
    stream_.copy(seen, wrong.span());
    co_await stream_.drained();
    co_return seen[0];
  }

  gpu::Stream stream_;
  gpu::Buffer<int> before_{100, stream_};  // what is shared is not the first of its slab
  gpu::Buffer<int> cells_{kInts, stream_};
};

}  // namespace kaon::testing
