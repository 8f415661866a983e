// SPDX-License-Identifier: Apache-2.0
// The floors of jacobi3d as a program, for runs that alternate with it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "bench/floors/openmp_jacobi.hpp"
#include "bench/floors/stream_triad.hpp"
#include "examples/jacobi3d/host/stencil.hpp"

namespace {

struct JacobiOptions {
  int cells = 256, iterations = 20, finalists = 3;
  std::vector<std::string> among;
  bool has_trials = false;
};

void print(const std::vector<kaon::bench::JacobiTime>& times, const char* what, const JacobiOptions& options,
           int threads) {
  for (const kaon::bench::JacobiTime& time : times)
    fmt::print("{} cells={} threads={} program={} example={} change={:.17g} ms_per_iteration={:.4f}\n", what,
               options.cells, threads, time.program, jacobi3d::runnable_sweeps().front().instructions, time.change,
               time.ms_per_iteration);
}

void print_jacobi(const JacobiOptions& options, int threads) {
  kaon::bench::OpenmpJacobi jacobi(options.cells, threads);
  if (options.has_trials) print(jacobi.run(jacobi.programs(), options.iterations), "trial", options, threads);
  const std::vector<std::string> finalists =
      options.among.empty() ? jacobi.fastest(static_cast<std::size_t>(options.finalists)) : options.among;
  print(jacobi.run(finalists, options.iterations), "openmp_jacobi", options, threads);
}

void print_triad(int megabytes, int repetitions, int threads) {
  fmt::print("stream_triad megabytes={} threads={} gb_per_s={:.3f}\n", megabytes, threads,
             kaon::bench::stream_triad_gb_per_s(megabytes, repetitions, threads));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Floors of jacobi3d: what this machine does without a runtime");
  app.require_subcommand(1);
  int threads = 2, megabytes = 256, repetitions = 10;
  JacobiOptions options;
  app.add_option("--threads", threads)->check(CLI::Range(1, 1024))->capture_default_str();
  CLI::App* const jacobi = app.add_subcommand(
      "jacobi",
      "Plain OpenMP Jacobi: the fastest kernels, vectors and blockings for this processor, found by trying all");
  jacobi->add_option("--cells", options.cells)->check(CLI::Range(1, 4096))->capture_default_str();
  jacobi->add_option("--iterations", options.iterations)->check(CLI::Range(2, 1'000'000))->capture_default_str();
  jacobi->add_option("--finalists", options.finalists, "So many are measured in full")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  jacobi->add_option("--among", options.among, "Only these programs, named as in the output, and no trials")
      ->delimiter(',');
  jacobi->add_flag("--trials", options.has_trials, "Measure all in full first, one line each");
  CLI::App* const triad = app.add_subcommand("triad", "STREAM triad");
  triad->add_option("--megabytes", megabytes, "Of each array")->check(CLI::Range(1, 65536))->capture_default_str();
  triad->add_option("--repetitions", repetitions)->check(CLI::Range(1, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (jacobi->parsed()) print_jacobi(options, threads);
    if (triad->parsed()) print_triad(megabytes, repetitions, threads);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_floors: {}\n", error.what());
    return 1;
  }
}
