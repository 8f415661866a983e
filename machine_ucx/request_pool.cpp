// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/request_pool.hpp"

namespace kaon::machine_ucx {

namespace {

constexpr std::size_t round_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

RequestPool::RequestPool(std::size_t request_bytes)
    : request_bytes_(round_up(request_bytes, kAlignment)),
      stride_(request_bytes_ + round_up(sizeof(Operation), kAlignment)) {}

void RequestPool::grow() {
  const std::size_t bytes = stride_ * kChunkOperations;
  auto* memory = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{kAlignment}));
  chunks_.emplace_back(memory);
  for (std::size_t i = kChunkOperations; i-- > 0;) {
    give_back(*::new (memory + i * stride_ + request_bytes_) Operation);
  }
}

}  // namespace kaon::machine_ucx
