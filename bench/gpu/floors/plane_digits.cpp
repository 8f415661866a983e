// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/plane_digits.hpp"

#include <array>
#include <cstring>
#include <random>

#include "bench/gpu/floors/block.hpp"
#include "examples/jacobi3d/host/stencil.hpp"

namespace kaon::bench {

namespace {

using jacobi3d::kFaces;
using jacobi3d::plane_size;
using jacobi3d::Triple;
using jacobi3d::volume;
using Numbers = std::vector<double>;

constexpr int kDevice = 0;

Numbers random_numbers(std::size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> between(-1, 1);
  Numbers numbers(count);
  for (double& number : numbers) number = between(random);
  return numbers;
}

DeviceMemory to_device(const Numbers& numbers) {
  DeviceMemory memory(kDevice, numbers.size() * sizeof(double));
  check(cudaMemcpy(memory.data(), numbers.data(), numbers.size() * sizeof(double), cudaMemcpyDefault), "write numbers");
  return memory;
}

bool is_equal(const double* on_device, const Numbers& expected) {
  Numbers found(expected.size());
  check(cudaMemcpy(found.data(), on_device, found.size() * sizeof(double), cudaMemcpyDefault), "read numbers");
  return std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)) == 0;
}

// Planes on the host and what the processor's sweep makes of them.
struct Expected {
  explicit Expected(const Triple& its_shape) : shape(its_shape) {
    std::mt19937_64 random(3);
    now = random_numbers(volume(shape), random);
    next.resize(now.size());
    jacobi3d::Sweep sweep{shape, now.data(), next.data(), {}, {}};
    for (std::size_t f = 0; f < kFaces.size(); ++f) {
      in[f] = random_numbers(plane_size(shape, kFaces[f]), random);
      out[f].resize(in[f].size());
      sweep.in[f] = in[f].data();
      sweep.out[f] = out[f].data();
    }
    change = {jacobi3d::sweep(sweep)};
  }

  Triple shape;
  Numbers now, next, change;
  std::array<Numbers, 6> in, out;
};

}  // namespace

bool planes_agree(const Triple& shape) {
  const Expected expected(shape);
  DeviceBlock block(kDevice, shape);
  block.start_from(expected.now);
  jacobi3d::SweepKernel kernel = block.kernel();
  std::array<DeviceMemory, 6> in, out;
  for (std::size_t f = 0; f < kFaces.size(); ++f) {
    in[f] = to_device(expected.in[f]);
    out[f] = DeviceMemory(kDevice, expected.out[f].size() * sizeof(double));
    kernel.in[f].plane = in[f].doubles();
    kernel.out[f] = out[f].doubles();
  }
  const Stream stream(kDevice);
  launch_sweep(kernel, stream);
  stream.wait();
  bool is_right = is_equal(block.next(), expected.next) && is_equal(kernel.change, expected.change);
  for (std::size_t f = 0; f < kFaces.size(); ++f) is_right &= is_equal(kernel.out[f], expected.out[f]);
  return is_right;
}

}  // namespace kaon::bench
