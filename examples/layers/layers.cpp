// SPDX-License-Identifier: Apache-2.0
// A neural network whose layers are chares: each is a matrix product by cuBLAS and a kernel of the program's own, both
// on Kaon's streams. What one layer leaves goes from GPU memory to GPU memory to the next, and no PE waits for a
// device.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/layers/layer_math.hpp"

constexpr int kLayers = 6, kSize = 256, kBatch = 64;
constexpr std::size_t kValues = std::size_t{kSize} * kBatch;

/// Small whole numbers: every order of additions gives the same digits.
int digit(int layer, int i) { return (i * 7919 + layer * 104'729) % 1009 % 3; }
std::vector<float> weights_of(int layer) {
  std::vector<float> weights(std::size_t{kSize} * kSize);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<float>(digit(layer, static_cast<int>(i)) - 1);
  return weights;
}
std::vector<float> bias_of(int layer) {
  std::vector<float> bias(kSize);
  for (int i = 0; i < kSize; ++i) bias[static_cast<std::size_t>(i)] = static_cast<float>(digit(layer, 7 * i));
  return bias;
}
std::vector<float> input() {
  std::vector<float> values(kValues);
  for (std::size_t i = 0; i < kValues; ++i) values[i] = static_cast<float>(digit(-1, static_cast<int>(i)));
  return values;
}

class LayerChare : public kaon::Chare<LayerChare> {
 public:
  LayerChare() : weights_(upload(weights_of(index().x))), bias_(upload(bias_of(index().x))) {}

  /// Runs when what the layer before has left is on its way to this GPU's memory.
  void forward(kaon::Payload<float> in) {
    kaon::gpu::Buffer<float> out(kValues, stream_);
    const Layer layer{kSize, kBatch, weights_.data(), bias_.data(), in.view(stream_).data(), out.data()};
    stream_.give([&](kaon::gpu::NativeStream stream) { math_.run(stream, layer); }, [layer] { run_on_host(layer); });
    if (index().x + 1 < kLayers)
      array()[index().x + 1].send<&LayerChare::forward>(kaon::Payload(std::move(out), stream_));
    else
      result_ = std::move(out);
  }
  void begin() { forward(kaon::Payload(upload(input()), stream_)); }

  /// How many values of the last layer are what loops on the host make of the input.
  kaon::Task<int> count_right() {
    kaon::gpu::Pinned<float> values(kValues, stream_);
    stream_.copy(values, result_.span());
    co_await stream_.drained();
    std::vector<float> expected = input(), out(kValues);
    for (int layer = 0; layer < kLayers; ++layer) {
      const std::vector<float> weights = weights_of(layer), bias = bias_of(layer);
      run_on_host({kSize, kBatch, weights.data(), bias.data(), expected.data(), out.data()});
      std::swap(expected, out);
    }
    int right = 0;
    for (std::size_t i = 0; i < kValues; ++i) right += values[i] == expected[i] ? 1 : 0;
    co_return right;
  }
  bool is_emulated() const { return stream_.device().driver().backend() == kaon::gpu::Backend::host; }

 private:
  kaon::gpu::Buffer<float> upload(const std::vector<float>& values) {
    kaon::gpu::Pinned<float> on_host(values.size(), stream_);
    std::copy(values.begin(), values.end(), on_host.span().begin());
    kaon::gpu::Buffer<float> buffer(values.size(), stream_);
    stream_.copy(buffer.span(), on_host);
    return buffer;
  }

  kaon::gpu::Stream stream_;
  LayerMath math_;
  kaon::gpu::Buffer<float> weights_, bias_, result_;
};

kaon::Task<int> run_layers(kaon::Runtime& runtime) {
  const auto layers = co_await runtime.create<LayerChare>(kLayers);
  if (co_await layers[0].call<&LayerChare::is_emulated>())
    std::printf("no device: loops on the host stand in for cuBLAS, the kernel and Thrust\n");
  layers[0].send<&LayerChare::begin>();
  co_await runtime.quiescence();
  const int right = co_await layers[kLayers - 1].call<&LayerChare::count_right>();
  std::printf("%d of %zu values of the last of %d layers are right\n", right, kValues, kLayers);
  co_return right == static_cast<int>(kValues) ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, run_layers, kaon::with_devices); }
