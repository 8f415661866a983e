// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/strided_copy.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"

KAON_KERNEL(kaon::gpu::StridedCopy<std::uint8_t, true>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint8_t, false>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint16_t, true>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint16_t, false>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint32_t, true>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint32_t, false>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint64_t, true>);
KAON_KERNEL(kaon::gpu::StridedCopy<std::uint64_t, false>);
KAON_KERNEL(kaon::gpu::StridedCopy<kaon::gpu::CopiedQuad, true>);
KAON_KERNEL(kaon::gpu::StridedCopy<kaon::gpu::CopiedQuad, false>);
