// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernel_body.hpp"
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

}  // namespace kaon::testing

KAON_KERNEL(kaon::testing::WritePattern);
KAON_KERNEL(kaon::testing::CheckPattern);
