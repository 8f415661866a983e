// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "kaon/machine_ucx/operation.hpp"

namespace kaon::machine_ucx {

// Operations with room for UCX's request in front of each, made in chunks and never given back before the end. Not
// thread-safe: one PE's.
class RequestPool {
 public:
  explicit RequestPool(std::size_t request_bytes);

  // The operation that take() will return, for a call that may not need it after all. Its fields are of its last use.
  Operation& peek() {
    if (free_ == nullptr) [[unlikely]]
      grow();
    return *free_;
  }
  Operation& take() {
    Operation& operation = peek();
    free_ = operation.next;
    return operation;
  }
  void give_back(Operation& operation) {
    operation.transfer = nullptr;
    operation.next = free_;
    free_ = &operation;
  }

  // All, also those that are free.
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& chunk : chunks_)
      for (std::size_t i = 0; i < kChunkOperations; ++i) visit(at(chunk.get(), i));
  }

 private:
  static constexpr std::size_t kChunkOperations = 64;
  static constexpr std::size_t kAlignment = 64;  // of UCX's own requests
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{kAlignment}); }
  };

  void grow();
  Operation& at(std::byte* chunk, std::size_t index) const {
    return *std::launder(reinterpret_cast<Operation*>(chunk + index * stride_ + request_bytes_));
  }

  std::size_t request_bytes_;  // rounded up to kAlignment
  std::size_t stride_;         // from one operation to the next
  Operation* free_ = nullptr;
  std::vector<std::unique_ptr<std::byte, FreeAligned>> chunks_;
};

}  // namespace kaon::machine_ucx
