// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/put_engine.hpp"

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/region.hpp"

namespace kaon::gpu {

void PutEngine::keep_memory_until(const Position& end) noexcept {
  if (end.stream == nullptr) return;
  for (const PutPlaces& put : puts_) {
    keep_block_until(end, put.from, put.bytes);
    keep_block_until(end, put.to, put.bytes);
    if (put.flag != nullptr) keep_block_until(end, put.flag, sizeof *put.flag);
  }
}

void PutEngine::keep_block_until(const Position& end, const void* memory, std::size_t bytes) noexcept {
  const Region* const region = device_.regions().find(memory);
  if (region == nullptr || region->arena == nullptr) return;
  if (Block* const block = device_.memory().pool().find_own(*region, memory, bytes))
    device_.memory().note_landing(*block, end);
}

}  // namespace kaon::gpu
