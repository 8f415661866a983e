// SPDX-License-Identifier: Apache-2.0
// The floors of jacobi3d as a program, for runs that alternate with it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bench/floors/openmp_jacobi.hpp"
#include "bench/floors/stream_triad.hpp"

namespace {

void print_jacobi(int cells, int iterations, int threads) {
  for (const kaon::bench::JacobiTime& time : kaon::bench::time_openmp_jacobi(cells, iterations, threads))
    fmt::print("openmp_jacobi cells={} iterations={} threads={} tile={}x{} change={:.17g} ms_per_iteration={:.4f}\n",
               cells, iterations, threads, time.tile_x, time.tile_y, time.change, time.ms_per_iteration);
}

void print_triad(int megabytes, int repetitions, int threads) {
  fmt::print("stream_triad megabytes={} threads={} gb_per_s={:.3f}\n", megabytes, threads,
             kaon::bench::stream_triad_gb_per_s(megabytes, repetitions, threads));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Floors of jacobi3d: what this machine does without a runtime");
  app.require_subcommand(1);
  int threads = 2, cells = 256, iterations = 20, megabytes = 256, repetitions = 10;
  app.add_option("--threads", threads)->check(CLI::Range(1, 1024))->capture_default_str();
  CLI::App* const jacobi =
      app.add_subcommand("jacobi", "Plain OpenMP Jacobi, one line for each kind of row and static blocking");
  jacobi->add_option("--cells", cells)->check(CLI::Range(1, 4096))->capture_default_str();
  jacobi->add_option("--iterations", iterations)->check(CLI::Range(2, 1'000'000))->capture_default_str();
  CLI::App* const triad = app.add_subcommand("triad", "STREAM triad");
  triad->add_option("--megabytes", megabytes, "Of each array")->check(CLI::Range(1, 65536))->capture_default_str();
  triad->add_option("--repetitions", repetitions)->check(CLI::Range(1, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (jacobi->parsed()) print_jacobi(cells, iterations, threads);
  if (triad->parsed()) print_triad(megabytes, repetitions, threads);
}
