// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/kernels/kernel_body.hpp"
#include "tests/device/pattern_kernels.hpp"

namespace kaon::testing {

template <class Context>
KAON_DEVICE void WritePattern::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride()) values[i] = seed + static_cast<int>(i);
}

template <class Context>
KAON_DEVICE void CheckPattern::operator()(Context& at) const {
  for (std::size_t i = at.index(); i < count; i += at.stride())
    if (values[i] != seed + static_cast<int>(i)) at.max_into(wrong, static_cast<double>(i + 1));
}

template <class Context>
KAON_DEVICE void Dawdle::operator()(Context& at) const {
  double value = 1 + static_cast<double>(at.index());
  for (long i = 0; i < rounds; ++i) value = value * 0.999999999 + 1e-9;
  *cell = value;
}

template <class Context>
KAON_DEVICE void Spin::operator()(Context&) const {
  while (*static_cast<const volatile unsigned*>(never) == 0) {
  }
}

}  // namespace kaon::testing

KAON_KERNEL(kaon::testing::WritePattern);
KAON_KERNEL(kaon::testing::CheckPattern);
KAON_KERNEL(kaon::testing::Dawdle);
KAON_KERNEL(kaon::testing::Spin);
