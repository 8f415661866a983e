// SPDX-License-Identifier: Apache-2.0
// Heat in a cube whose six faces are kept at 1: Jacobi relaxation by blocks that are chares.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>
#include "examples/jacobi3d/block.hpp"
#include "examples/jacobi3d/device_block.hpp"
#include "examples/jacobi3d/options.hpp"
#include "examples/jacobi3d/picture.hpp"
#include "examples/jacobi3d/progress.hpp"
#include "examples/jacobi3d/result.hpp"

namespace kaon::jacobi3d {

struct Outcome {
  int iterations = 0;
  double change = 0;
};

// How many iterations the blocks run before all wait for all: every one where it may be the last.
int stride(const Options& options, const Progress& progress) {
  if (options.tolerance > 0) return 1;
  constexpr int kSteps = 50;  // of the bar
  return progress.is_visible() ? std::max(1, options.iterations / kSteps) : options.iterations;
}

template <class B>
kaon::Task<Outcome> relax(kaon::Proxy<B> blocks, Options options, int done) {
  Progress progress(options.iterations);
  const int most = stride(options, progress);
  Outcome outcome{done, 0};
  while (outcome.iterations < options.iterations) {
    const int count = std::min(most, options.iterations - outcome.iterations);
    outcome.change = co_await blocks.template call_all<&B::run>(kaon::max, count);
    outcome.iterations += count;
    progress.show(outcome.iterations);
    if (options.tolerance > 0 && outcome.change <= options.tolerance) break;
  }
  co_return outcome;
}

// The slice in the middle along x, from the blocks that it goes through.
template <class B>
kaon::Task<void> draw(kaon::Proxy<B> blocks, Decomposition cube, std::string path) {
  Picture picture(cube.cells[1], cube.cells[2]);
  const Triple shape = cube.block_shape();
  const int x = cube.cells[0] / 2;
  for (int y = 0; y < cube.blocks[1]; ++y)
    for (int z = 0; z < cube.blocks[2]; ++z) {
      const auto block = blocks[{x / shape[0], y, z}];
      const std::vector<double> values = co_await block.template call<&B::slice>(x % shape[0]);
      picture.place(y * shape[1], z * shape[2], shape[2], values);
    }
  picture.write(path);
}

// Nothing: go on. Else the exit code: help was asked for, or the error has been printed.
std::optional<int> understand(const std::vector<std::string>& arguments, Options& options) {
  if (asks_for_help(arguments)) {
    std::printf("%s\n%s", options_help().c_str(), kaon::options_help().c_str());
    return 0;
  }
  try {
    options = parse_options(arguments);
  } catch (const kaon::UsageError& error) {
    std::fprintf(stderr, "jacobi3d: %s\n", error.what());
    return kaon::runtime::kExitUsage;
  }
  return {};
}

template <class B>
kaon::Task<kaon::Proxy<B>> create(kaon::Runtime& runtime, kaon::Shape shape, const Options& options) {
  if constexpr (std::is_same_v<B, DeviceBlock>)
    co_return co_await runtime.create<B>(shape, options.decomposition, options.streams, options.sends_only);
  else
    co_return co_await runtime.create<B>(shape, options.decomposition, options.sends_only);
}

template <class B>
kaon::Task<int> solve(kaon::Runtime& runtime, Options options) {
  const Decomposition cube = options.decomposition;
  const kaon::Shape shape(cube.blocks[0], cube.blocks[1], cube.blocks[2]);
  const auto blocks = co_await create<B>(runtime, shape, options);

  if (options.warm_up > 0) co_await blocks.template call_all<&B::run>(kaon::max, options.warm_up);
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = co_await relax(blocks, options, options.warm_up);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;

  CompensatedSum sum;
  if (!options.sends_only) sum = co_await blocks.template call_all<&B::sum>(AddSums());
  const auto cells = static_cast<double>(volume(cube.cells));
  const Result result = make_result(outcome.iterations, outcome.iterations - options.warm_up, outcome.change,
                                    sum.value(), spent.count(), cells);
  std::puts(result_line(result).c_str());
  if (!options.json.empty()) write_json(result, options.json);
  if (!options.picture.empty()) co_await draw(blocks, cube, options.picture);
  co_return 0;
}

kaon::Task<int> jacobi3d(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  if (const std::optional<int> code = understand(arguments, options)) co_return *code;
  if (runtime.has_devices()) co_return co_await solve<DeviceBlock>(runtime, options);
  co_return co_await solve<Block>(runtime, options);
}

}  // namespace kaon::jacobi3d

int main(int argc, char** argv) { return kaon::run(argc, argv, kaon::jacobi3d::jacobi3d); }
