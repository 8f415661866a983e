// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/interference/gemm.hpp"

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

namespace interference {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

}  // namespace

struct Gemm::Handle {
  cublasHandle_t handle = nullptr;
  Handle() { check(cublasCreate(&handle), "cublasCreate"); }
  ~Handle() { cublasDestroy(handle); }
};

Gemm::Gemm() : handle_(std::make_unique<Handle>()) {}
Gemm::~Gemm() = default;

void Gemm::multiply(void* stream, int size, const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* c) {
  const float one = 1, zero = 0;
  check(cublasSetStream(handle_->handle, static_cast<cudaStream_t>(stream)), "cublasSetStream");
  check(cublasGemmEx(handle_->handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, a, CUDA_R_16BF, size, b,
                     CUDA_R_16BF, size, &zero, c, CUDA_R_16BF, size, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}

}  // namespace interference
