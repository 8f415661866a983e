// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/device/sweep.kernels.hpp"

#include <cstdint>

#include "examples/jacobi3d/device/sweep_march.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"

namespace jacobi3d {

constexpr int kWidth = 2, kRows = 1;  // points of a thread along z and y

// Whether strips of two never cross the end of a row and are aligned wherever they lie.
KAON_DEVICE inline bool has_even_rows(const SweepKernel& block) {
  auto bits = reinterpret_cast<std::uintptr_t>(block.now) | reinterpret_cast<std::uintptr_t>(block.next);
  for (const std::size_t face : {kXLow, kXHigh, kYLow, kYHigh}) {
    bits |= reinterpret_cast<std::uintptr_t>(block.in[face].plane) | reinterpret_cast<std::uintptr_t>(block.out[face]);
  }
  return block.shape.z % kWidth == 0 && bits % (kWidth * sizeof(double)) == 0;
}

template <class Context>
KAON_DEVICE void SweepKernel::operator()(Context& at) const {
  const double moved =
      has_even_rows(*this) ? Share<kWidth, kRows, Context>(*this, at).run(at) : Share<1, 1, Context>(*this, at).run(at);
  const double most = at.max(moved);
  if (at.is_first() && change != nullptr) at.max_into(change, most);
}

template <class Context>
KAON_DEVICE void FillKernel::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride()) values[i] = value;
}

template <class Context>
KAON_DEVICE void PackKernel::operator()(Context& at) const {
  const auto width = static_cast<std::size_t>(columns), count = width * static_cast<std::size_t>(rows);
  for (std::size_t i = at.index(); i < count; i += at.stride()) {
    const auto row = static_cast<std::ptrdiff_t>(i / width), column = static_cast<std::ptrdiff_t>(i % width);
    to[i] = from.first[row * from.row_step + column * from.column_step];
  }
}

template <class Context>
KAON_DEVICE void UnpackKernel::operator()(Context& at) const {
  const auto width = static_cast<std::size_t>(columns), count = width * static_cast<std::size_t>(rows);
  for (std::size_t i = at.index(); i < count; i += at.stride()) {
    const auto row = static_cast<std::ptrdiff_t>(i / width), column = static_cast<std::ptrdiff_t>(i % width);
    to.first[row * to.row_step + column * to.column_step] = from[i];
  }
}

}  // namespace jacobi3d

KAON_KERNEL(jacobi3d::SweepKernel);
KAON_KERNEL(jacobi3d::FillKernel);
KAON_KERNEL(jacobi3d::PackKernel);
KAON_KERNEL(jacobi3d::UnpackKernel);
