// expect: Landing::into(memory, stream): this is memory of the host, give the span of a gpu::Buffer
// SPDX-License-Identifier: Apache-2.0
#include <span>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

kaon::Landing use(std::span<int> memory, kaon::gpu::Stream& stream) { return kaon::Landing::into(memory, stream); }
