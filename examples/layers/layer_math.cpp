// SPDX-License-Identifier: Apache-2.0
#include "examples/layers/layer_math.hpp"

#include <algorithm>

void run_on_host(const Layer& layer) {
  for (int column = 0; column < layer.batch; ++column) {
    for (int row = 0; row < layer.size; ++row) {
      float sum = 0;
      for (int i = 0; i < layer.size; ++i)
        sum += layer.weights[i * layer.size + row] * layer.in[column * layer.size + i];
      layer.out[column * layer.size + row] = std::clamp(sum + layer.bias[row], 0.0F, kMostOut);
    }
  }
}
