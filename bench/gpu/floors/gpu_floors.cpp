// SPDX-License-Identifier: Apache-2.0
// What the devices of this machine can do, without Kaon: copies, the sweep of Jacobi3D, and Jacobi3D written by hand.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/gpu/floors/kernel_rate.hpp"
#include "bench/gpu/floors/peer_copy.hpp"
#include "bench/gpu/floors/slab_jacobi.hpp"

namespace {

using namespace kaon::bench;
using jacobi3d::Triple;

struct Options {
  bool is_json = false, is_tuning = false;
  bool has_kernels = true, has_copies = true, has_jacobi = true;
  int steps = 200, repetitions = 5;
  std::vector<int> box;  // points along each axis; empty: the boxes of the benchmark
  int devices = 1;       // for the box
};

using Order = SlabJacobi::Order;

bool is_right(const Triple& points, int devices, Order order) {
  constexpr int kSteps = 40;
  SlabJacobi jacobi(points, devices, order);
  jacobi.run(kSteps);
  HostBlock host(points);
  double change = 0;
  for (int i = 0; i < kSteps; ++i) change = host.step();
  const std::vector<double> found = jacobi.values();
  return jacobi.last_change() == change &&
         std::memcmp(found.data(), host.values().data(), found.size() * sizeof(double)) == 0;
}

double us_per_step(const Triple& points, int devices, Order order, const Options& options) {
  SlabJacobi jacobi(points, devices, order);
  jacobi.run(options.steps / 10 + 1);
  std::vector<double> times;
  for (int i = 0; i < options.repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    jacobi.run(options.steps);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    times.push_back(took.count() / options.steps);
  }
  return median(times);
}

void measure_jacobi(const Report& report, const std::string& what, const Triple& points, int devices,
                    const Options& options) {
  const std::string which = "jacobi3d by hand, " + what + ", on " + std::to_string(devices);
  report.add(which + ", copies after the sweep", us_per_step(points, devices, Order::sweep_then_copies, options),
             "us/iteration");
  if (devices > 1)
    report.add(which + ", copies beside it", us_per_step(points, devices, Order::copies_beside_sweep, options),
               "us/iteration");
}

bool measure_jacobis(const Report& report, int devices, const Options& options) {
  bool all_right = true;
  for (int count = 1; count <= devices; ++count) {
    for (const Order order : {Order::sweep_then_copies, Order::copies_beside_sweep})
      all_right &= is_right({32, 33, 64}, count, order);
  }
  report.add("jacobi3d by hand: digits equal to the processor's (1: yes)", all_right ? 1 : 0, "boolean");
  for (int count = 1; count <= devices; ++count) {
    measure_jacobi(report, "256^3 each", {256 * count, 256, 256}, count, options);
    measure_jacobi(report, "512^3 in all", {512, 512, 512}, count, options);
  }
  Options few = options;
  few.steps = options.steps / 4 + 1;
  measure_jacobi(report, "1024^3", {1024, 1024, 1024}, 1, few);
  return all_right;
}

void require(bool condition, const std::string& otherwise) {
  if (!condition) throw std::runtime_error(otherwise);
}

// One box on so many devices, and its planes alone.
int run_box(const Report& report, const Options& options) {
  const int devices = options.devices;
  require(options.box[0] % devices == 0, "--box: the devices must divide its first axis");
  require(devices <= visible_devices(), "--devices: there are only " + std::to_string(visible_devices()));
  if (devices > 1) connect_peers(devices);
  const Triple small{8 * devices, 33, 64}, points{options.box[0], options.box[1], options.box[2]};
  for (const Order order : {Order::sweep_then_copies, Order::copies_beside_sweep})
    require(is_right(small, devices, order), "the digits are not the processor's");
  measure_jacobi(report, fmt::format("{}", fmt::join(points, "x")), points, devices, options);
  if (devices > 1)
    report.add(fmt::format("planes by hand, {}, on {}", fmt::join(points, "x"), devices),
               us_per_step(points, devices, Order::copies_only, options), "us/iteration");
  return 0;
}

int run(const Options& options) {
  const Report report(options.is_json);
  if (!options.box.empty()) return run_box(report, options);
  const int devices = std::min(visible_devices(), 2);
  if (devices == 0) return report.note("gpu_floors: no CUDA device here; run it on a machine with one"), 1;
  if (devices == 1) report.note("gpu_floors: one device; the parts for two are left out");
  if (devices == 2) connect_peers(devices);
  bool is_right = true;
  if (options.has_kernels) {
    is_right &= check_digits(report);
    measure_sweeps(report, copy_rate(report), options.is_tuning);
  }
  if (options.has_copies && devices == 2) measure_peer_copies(report);
  if (options.has_jacobi) is_right &= measure_jacobis(report, devices, options);
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "What CUDA devices can do without a runtime: copies, the sweep of Jacobi3D, Jacobi3D by hand; all on one or two");
  app.add_flag("--json", options.is_json, "One JSON object a line");
  app.add_flag("--tune", options.is_tuning, "Also time other cuts of the sweep; prints the best");
  app.add_flag("!--no-kernels", options.has_kernels, "Without sweeps");
  app.add_flag("!--no-copies", options.has_copies, "Without copies between devices");
  app.add_flag("!--no-jacobi", options.has_jacobi, "Without Jacobi3D");
  app.add_option("--box", options.box, "Only Jacobi3D, in a box of so many points, as 512x256x256")
      ->delimiter('x')
      ->expected(3)
      ->check(CLI::Range(2, 8192));
  app.add_option("--devices", options.devices, "For --box: so many")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--steps", options.steps, "Iterations of each run")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--repetitions", options.repetitions)->check(CLI::Range(1, 8))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_floors: %s\n", error.what());
    return 1;
  }
}
