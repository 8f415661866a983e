// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/streams/reduction.kernels.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"

KAON_KERNEL(kaon::ampi::ReduceChunk<std::int8_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::int16_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::int32_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::int64_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::uint8_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::uint16_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::uint32_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<std::uint64_t>);
KAON_KERNEL(kaon::ampi::ReduceChunk<float>);
KAON_KERNEL(kaon::ampi::ReduceChunk<double>);
