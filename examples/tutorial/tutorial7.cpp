// SPDX-License-Identifier: Apache-2.0
// Step 7 of docs/tutorial.md: vectors in the memory of GPUs. Each chare sends its own to the next one in a ring, which
// computes the inner product with its own.
#include <cstdio>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/tutorial/tutorial7.kernels.hpp"

constexpr int kVectors = 4;
constexpr std::size_t kCount = 10'000;

class Vector : public kaon::Chare<Vector> {
 public:
  Vector() { stream_.for_each(kCount, CountUp{values_.data(), first(index().x)}); }

  void start() {
    kaon::gpu::Buffer<double> copy(kCount, stream_);
    stream_.copy(copy.span(), values_.span());
    array()[(index().x + 1) % kVectors].send<&Vector::multiply>(kaon::Payload(std::move(copy), stream_));
  }

  /// Runs when the vector of the left neighbour is in the memory of this one's GPU.
  kaon::Task<> multiply(kaon::Payload<double> other) {
    kaon::gpu::Buffer<double> sum(1, stream_);
    stream_.fill(sum.span(), 0);
    stream_.launch({32, 256}, Dot{values_.data(), other.view(stream_).data(), kCount, sum.data()});
    kaon::gpu::Pinned<double> result(1, stream_);
    stream_.copy(result, sum.span());
    co_await stream_.drained();  // other entries of this PE run meanwhile
    product_ = result.span()[0];
  }

  bool is_right() const {
    const double a = first(index().x), b = first((index().x + kVectors - 1) % kVectors), n = kCount;
    return product_ == a * b * n + (a + b) * n * (n - 1) / 2 + n * (n - 1) * (2 * n - 1) / 6;
  }

 private:
  static double first(int vector) { return vector; }

  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<double> values_{kCount, stream_};
  double product_ = 0;
};

kaon::Task<int> products(kaon::Runtime& runtime) {
  const auto vectors = co_await runtime.create<Vector>(kVectors);
  vectors.broadcast<&Vector::start>();
  co_await runtime.quiescence();  // also of entries that wait for their stream
  const bool are_right = co_await vectors.call_all<&Vector::is_right>(kaon::logical_and);
  std::puts(are_right ? "all products are right" : "a product is wrong");
  co_return are_right ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, products, kaon::with_devices); }
