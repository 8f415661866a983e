// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a layer computes: by cuBLAS, a kernel of the program's own and Thrust on a device, by loops in the emulation.
#include <memory>

/// out = clipped(weights * in + bias), for `batch` columns at once; matrices are stored by columns. On a device all
/// pointers are the device's.
struct Layer {
  int size;  // rows and columns of the weights
  int batch;
  const float* weights;
  const float* bias;
  const float* in;
  float* out;
};

inline constexpr float kMostOut = 8;

/// cuBLAS, as one thread uses it.
class LayerMath {
 public:
  LayerMath();
  ~LayerMath();

  /// Puts the work into a cudaStream_t and does not wait for it.
  void run(void* stream, const Layer& layer);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;  // made at the first use: without a device there is none
};

/// The same with loops.
void run_on_host(const Layer& layer);
