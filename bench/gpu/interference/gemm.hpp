// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

namespace interference {

/// Multiplies square matrices of bfloat16 with cuBLAS, as they come by default.
class Gemm {
 public:
  Gemm();
  ~Gemm();
  Gemm(const Gemm&) = delete;
  Gemm& operator=(const Gemm&) = delete;

  /// c = a b, of `size` rows, on a stream of CUDA's. Throws std::runtime_error.
  void multiply(void* stream, int size, const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* c);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace interference
