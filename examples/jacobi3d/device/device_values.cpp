// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/device/device_values.hpp"

#include <algorithm>

namespace jacobi3d {
namespace {

constexpr std::size_t kPieceDoubles = std::size_t{1} << 23;  // on their way to the host: 64 MiB

}  // namespace

kaon::Task<CompensatedSum> sum_of(kaon::gpu::Span<double> values, kaon::gpu::Stream& stream) {
  CompensatedSum sum;
  kaon::gpu::Pinned<double> piece(std::min(kPieceDoubles, values.size()), stream);
  for (std::size_t at = 0; at < values.size(); at += piece.size()) {
    const std::size_t count = std::min(piece.size(), values.size() - at);
    stream.copy(piece, values.subspan(at, count));
    co_await stream.drained();
    sum.add(piece.span().first(count));
  }
  co_return sum;
}

kaon::Task<std::vector<double>> copy_of(kaon::gpu::Span<double> values, kaon::gpu::Stream& stream) {
  kaon::gpu::Pinned<double> copy(values.size(), stream);
  stream.copy(copy, values);
  co_await stream.drained();
  co_return std::vector<double>(copy.span().begin(), copy.span().end());
}

}  // namespace jacobi3d
