// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gpu/floors/cuda.hpp"

namespace kaon::bench {

// Page-locked memory of the host, which devices reach by themselves.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) { check(cudaMallocHost(&memory_, bytes), "allocate page-locked memory"); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { cudaFreeHost(memory_); }
  void* data() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

}  // namespace kaon::bench
