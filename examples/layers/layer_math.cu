// SPDX-License-Identifier: Apache-2.0
// CUDA as a program without Kaon would write it: nothing here knows of chares.
#include <cublas_v2.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <stdexcept>
#include <string>

#include "examples/layers/layer_math.hpp"

namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

__global__ void add_bias(float* values, const float* bias, int rows, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += bias[i % rows];
}

struct Clip {
  __host__ __device__ float operator()(float value) const { return fminf(fmaxf(value, 0), kMostOut); }
};

}  // namespace

struct LayerMath::Handle {
  Handle() { check(cublasCreate(&blas), "cublasCreate"); }
  ~Handle() { cublasDestroy(blas); }
  cublasHandle_t blas = nullptr;
};

LayerMath::LayerMath() = default;
LayerMath::~LayerMath() = default;

void LayerMath::run(void* native, const Layer& layer) {
  if (handle_ == nullptr) handle_ = std::make_unique<Handle>();
  const auto stream = static_cast<cudaStream_t>(native);
  const float one = 1, zero = 0;
  check(cublasSetStream(handle_->blas, stream), "cublasSetStream");
  check(cublasSgemm(handle_->blas, CUBLAS_OP_N, CUBLAS_OP_N, layer.size, layer.batch, layer.size, &one, layer.weights,
                    layer.size, layer.in, layer.size, &zero, layer.out, layer.size),
        "cublasSgemm");
  const int count = layer.size * layer.batch, threads = 256;
  add_bias<<<(count + threads - 1) / threads, threads, 0, stream>>>(layer.out, layer.bias, layer.size, count);
  check(cudaGetLastError(), "add_bias");
  // par_nosync: Thrust need not wait for the stream, as it would with par.
  thrust::transform(thrust::cuda::par_nosync.on(stream), layer.out, layer.out + count, layer.out, Clip());
}
