// expect: Landing::into(memory, stream): this is memory of the host, give the span of a gpu::Buffer
// SPDX-License-Identifier: Apache-2.0
#include "chares/kaon.hpp"
#include "gpu/gpu.hpp"

#include <span>

kaon::Landing use(std::span<int> memory, kaon::gpu::Stream& stream) { return kaon::Landing::into(memory, stream); }
