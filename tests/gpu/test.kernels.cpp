// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/kernels/kernel_body.hpp"
#include "tests/gpu/test_kernels.hpp"

namespace kaon::gpu::test {

template <class Context>
KAON_DEVICE void Saxpy::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride()) y[i] = by * x[i] + y[i];
}

template <class Context>
KAON_DEVICE void Largest::operator()(Context& at) const {
  double mine = 0;
  for (std::size_t i = at.index(); i < count; i += at.stride()) mine = mine < values[i] ? values[i] : mine;
  const double of_block = at.max(mine);
  if (at.is_first()) at.max_into(most, of_block);
}

template <class Context>
KAON_DEVICE void Census::operator()(Context& at) const {
  at.sync();
  if (!at.is_first()) return;
  const Extent block = at.block();
  const Extent grid = at.blocks();
  unsigned* const mine = blocks + 4 * ((std::size_t{block.z} * grid.y + block.y) * grid.x + block.x);
  mine[0] = block.x;
  mine[1] = block.y;
  mine[2] = block.z;
  mine[3] = static_cast<unsigned>(at.threads().volume());
}

template <class Context>
KAON_DEVICE void RaiseToBlock::operator()(Context& at) const {
  if (at.is_first()) at.max_into(most, at.block().x);
}

template <class Context>
KAON_DEVICE void CountUp::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride()) {
    at.add_into(whole, 1ULL);
    at.add_into(halves, 0.5);
  }
}

}  // namespace kaon::gpu::test

KAON_KERNEL(kaon::gpu::test::Saxpy);
KAON_KERNEL(kaon::gpu::test::Largest);
KAON_KERNEL(kaon::gpu::test::Census);
KAON_KERNEL(kaon::gpu::test::RaiseToBlock);
KAON_KERNEL(kaon::gpu::test::CountUp);
