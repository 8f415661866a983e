// expect: Payload(buffer, stream): the buffer is given away, not copied: write std::move(buffer)
// SPDX-License-Identifier: Apache-2.0
#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

kaon::Payload<int> use(kaon::gpu::Buffer<int>& buffer, kaon::gpu::Stream& stream) {
  return kaon::Payload<int>(buffer, stream);
}
