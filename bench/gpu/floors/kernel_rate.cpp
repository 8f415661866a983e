// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/kernel_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <utility>

#include "bench/gpu/floors/block.hpp"
#include "bench/gpu/floors/plane_digits.hpp"
#include "bench/gpu/floors/sweeps.hpp"

namespace kaon::bench {

using jacobi3d::SweepKernel;
using jacobi3d::Triple;
using jacobi3d::volume;

namespace {

constexpr int kDevice = 0, kRepetitions = 9;

std::string cube(int edge) { return std::to_string(edge) + "^3"; }

double gb_per_s(const Triple& shape, double ms) {
  return 2 * sizeof(double) * static_cast<double>(volume(shape)) / (ms * 1e6);
}

// Small blocks are swept several times in a row, so that the launch is not what is measured.
double sweep_ms(DeviceBlock& block, const Stream& stream, const std::function<void(const SweepKernel&)>& launch) {
  const int sweeps = volume(block.shape()) > (1U << 26) ? 2 : 20;
  const double ms = time_ms(stream, kDevice, kRepetitions, [&] {
    for (int i = 0; i < sweeps; ++i) {
      launch(block.kernel());
      block.flip();
    }
  });
  return ms / sweeps;
}

// The best grid for each kernel, the fastest kernel first.
void tune(DeviceBlock& block, const Stream& stream, const Report& report, const std::string& which) {
  using Timed = std::pair<double, std::string>;
  std::map<std::string, Timed> best;
  for (const SweepVariant& variant : sweep_variants(block.shape())) {
    const double ms = sweep_ms(block, stream, [&](const SweepKernel& kernel) { variant.launch(kernel, stream); });
    const Timed timed{ms, variant.kernel + ", " + variant.grid};
    const auto [found, is_new] = best.try_emplace(variant.kernel, timed);
    if (!is_new) found->second = std::min(found->second, timed);
  }
  std::vector<Timed> sorted;
  for (const auto& [kernel, timed] : best) sorted.push_back(timed);
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [ms, name] : sorted) report.add("sweep " + which + " " + name, ms, "ms");
}

std::vector<double> values_of(const double* values, std::size_t count) {
  std::vector<double> copy(count);
  check(cudaMemcpy(copy.data(), values, count * sizeof(double), cudaMemcpyDefault), "read values");
  return copy;
}

// The variants against the example's sweep, on one shape that has tiles at all faces and within.
void check_variants(const Report& report) {
  const Triple shape{24, 32, 384};
  const std::size_t points = volume(shape);
  std::mt19937_64 random(1);
  std::vector<double> start(points);
  for (double& value : start) value = 0x1p-53 * static_cast<double>(random() >> 11);
  const Stream stream(kDevice);
  const auto swept = [&](const std::function<void(const SweepKernel&)>& launch) {
    DeviceBlock block(kDevice, shape);
    block.start_from(start);
    for (int i = 0; i < 5; ++i) launch(block.kernel()), block.flip();
    stream.wait();
    std::vector<double> values = values_of(block.now(), points);
    values.push_back(values_of(block.kernel().change, 1)[0]);
    return values;
  };
  const std::vector<double> expected = swept([&](const SweepKernel& kernel) { launch_sweep(kernel, stream); });
  std::size_t wrong = 0;
  for (const SweepVariant& variant : sweep_variants(shape)) {
    const auto found = swept([&](const SweepKernel& kernel) { variant.launch(kernel, stream); });
    if (std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)) == 0) continue;
    ++wrong, report.note("wrong digits: " + variant.kernel + ", " + variant.grid);
  }
  report.add("variants with wrong digits", static_cast<double>(wrong), "number");
}

// Of all sizes from the least that there is; their sixths are not all normal numbers.
std::vector<double> tiny_numbers(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    const int exponent = -1074 + static_cast<int>(random() % 70);
    number = std::ldexp(1 + 0x1p-53 * static_cast<double>(random() >> 11), exponent);
  }
  return numbers;
}

bool agrees(const Triple& shape, int steps, const std::vector<double>& start) {
  DeviceBlock device(kDevice, shape);
  HostBlock host(shape);
  device.start_from(start);
  host.start_from(start);
  const Stream stream(kDevice);
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    launch_sweep(device.kernel(), stream);
    device.flip();
    most = std::max(most, host.step());
  }
  stream.wait();
  const std::vector<double> values = values_of(device.now(), volume(shape));
  return values_of(device.kernel().change, 1)[0] == most &&
         std::memcmp(values.data(), host.values().data(), values.size() * sizeof(double)) == 0;
}

}  // namespace

double copy_rate(const Report& report) {
  constexpr std::size_t kBytes = std::size_t{4} << 30;
  const DeviceMemory from(kDevice, kBytes), to(kDevice, kBytes);
  const Stream stream(kDevice);
  const double ms = time_ms(stream, kDevice, kRepetitions, [&] {
    check(cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice, stream), "copy");
  });
  const double rate = 2 * static_cast<double>(kBytes) / (ms * 1e6);
  report.add("device copy, read and written", rate, "GB/s");
  return rate;
}

void measure_sweeps(const Report& report, double copy_gb_per_s, bool is_tuning) {
  const Stream stream(kDevice);
  if (is_tuning) check_variants(report);
  for (const int edge : {1024, 512, 256, 128}) {
    const Triple shape{edge, edge, edge};
    DeviceBlock block(kDevice, shape);
    const double ms = sweep_ms(block, stream, [&](const SweepKernel& kernel) { launch_sweep(kernel, stream); });
    report.add("sweep " + cube(edge), ms, "ms");
    report.add("sweep " + cube(edge) + " rate", gb_per_s(shape, ms), "GB/s");
    report.add("sweep " + cube(edge) + " rate / copy", gb_per_s(shape, ms) / copy_gb_per_s, "ratio");
    if (is_tuning) tune(block, stream, report, cube(edge));
  }
}

bool check_digits(const Report& report) {
  const std::vector<Triple> shapes{{1, 1, 1},    {7, 5, 9},       {2, 2, 2},    {8, 1, 6},
                                   {3, 33, 6},   {5, 37, 133},    {64, 64, 64}, {33, 64, 128},
                                   {17, 70, 66}, {130, 129, 258}, {40, 200, 64}};
  bool is_right = true;
  for (const Triple& shape : shapes) {
    if (agrees(shape, 50, std::vector<double>(volume(shape))) && planes_agree(shape)) continue;
    is_right = false;
    report.note("wrong digits: " + std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + "x" +
                std::to_string(shape[2]));
  }
  const Triple shape{60, 70, 80};
  if (!agrees(shape, 3, tiny_numbers(volume(shape))))
    is_right = false, report.note("wrong digits of subnormal numbers");
  report.add("digits equal to the processor's (1: yes)", is_right ? 1 : 0, "boolean");
  return is_right;
}

}  // namespace kaon::bench
