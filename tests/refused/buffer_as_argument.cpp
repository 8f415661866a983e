// expect: a gpu::Buffer is sent as kaon::Payload(std::move(buffer), stream)
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(kaon::gpu::Buffer<int>) {}
};

void use(kaon::Element<Block> block, kaon::gpu::Buffer<int> buffer) { block.send<&Block::take>(std::move(buffer)); }
