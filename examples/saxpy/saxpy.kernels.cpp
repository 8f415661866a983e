// SPDX-License-Identifier: Apache-2.0
#include "saxpy.kernels.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"

template <class Context>
KAON_DEVICE void Fill::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride()) values[i] = value;
}

template <class Context>
KAON_DEVICE void Saxpy::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride()) y[i] += a * x[i];
}

KAON_KERNEL(Fill);
KAON_KERNEL(Saxpy);
