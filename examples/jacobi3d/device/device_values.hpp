// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/jacobi3d/support/summary.hpp"

namespace jacobi3d {

// What the host is told of values in the memory of its PE's device, behind all that the stream was given.
kaon::Task<CompensatedSum> sum_of(kaon::gpu::Span<double> values, kaon::gpu::Stream& stream);
kaon::Task<std::vector<double>> copy_of(kaon::gpu::Span<double> values, kaon::gpu::Stream& stream);

}  // namespace jacobi3d
