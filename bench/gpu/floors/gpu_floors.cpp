// SPDX-License-Identifier: Apache-2.0
// What one or two devices of this machine can do, without Kaon: copies, the sweep of Jacobi3D, and Jacobi3D written by
// hand.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>

#include "bench/gpu/floors/kernel_rate.hpp"
#include "bench/gpu/floors/peer_copy.hpp"
#include "bench/gpu/floors/slab_jacobi.hpp"

namespace {

using namespace kaon::bench;
using kaon::jacobi3d::Triple;

struct Options {
  bool is_json = false, is_tuning = false;
  bool has_kernels = true, has_copies = true, has_jacobi = true;
  int steps = 200, repetitions = 5;
};

bool is_right(const Triple& points, int devices, bool is_overlapping) {
  constexpr int kSteps = 40;
  SlabJacobi jacobi(points, devices, is_overlapping);
  jacobi.run(kSteps);
  HostBlock host(points);
  double change = 0;
  for (int i = 0; i < kSteps; ++i) change = host.step();
  const std::vector<double> found = jacobi.values();
  return jacobi.last_change() == change &&
         std::memcmp(found.data(), host.values().data(), found.size() * sizeof(double)) == 0;
}

double us_per_step(const Triple& points, int devices, bool is_overlapping, const Options& options) {
  SlabJacobi jacobi(points, devices, is_overlapping);
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
  report.add(which + ", copies after the sweep", us_per_step(points, devices, false, options), "us/iteration");
  if (devices > 1)
    report.add(which + ", copies beside it", us_per_step(points, devices, true, options), "us/iteration");
}

bool measure_jacobis(const Report& report, int devices, const Options& options) {
  bool all_right = true;
  for (int count = 1; count <= devices; ++count) {
    for (const bool is_overlapping : {false, true}) all_right &= is_right({32, 33, 64}, count, is_overlapping);
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

int run(const Options& options) {
  const Report report(options.is_json);
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
      "What one or two CUDA devices can do without a runtime: copies, the sweep of Jacobi3D, Jacobi3D by hand");
  app.add_flag("--json", options.is_json, "One JSON object a line");
  app.add_flag("--tune", options.is_tuning, "Also time other cuts of the sweep; prints the best");
  app.add_flag("!--no-kernels", options.has_kernels, "Without sweeps");
  app.add_flag("!--no-copies", options.has_copies, "Without copies between devices");
  app.add_flag("!--no-jacobi", options.has_jacobi, "Without Jacobi3D");
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
