// SPDX-License-Identifier: Apache-2.0
// Heat in a cube whose six faces are kept at 1: Jacobi relaxation by blocks that are chares. The algorithm is here, in
// block.hpp and in points.hpp; host/ and device/ hold sweeps over the points of a block, support/ what surrounds them.
// channel/ has blocks that send no halos, as kernels write them where they are read, and resident/ those whose steps a
// GPU takes by itself.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/jacobi3d/block.hpp"
#include "examples/jacobi3d/channel/channel_block.hpp"
#include "examples/jacobi3d/resident/resident_block.hpp"
#include "examples/jacobi3d/support/options.hpp"
#include "examples/jacobi3d/support/progress.hpp"
#include "examples/jacobi3d/support/result.hpp"
#include "examples/support/picture.hpp"

namespace jacobi3d {

using Clock = std::chrono::steady_clock;

struct Outcome {
  double change = 0;
  Steps warm_up, later;
  int steps() const { return warm_up.count + later.count; }
};

// How many steps the blocks do before all wait for all: every one where it may be the last.
int stride(const Options& options, const Progress& progress) {
  if (options.tolerance > 0) return 1;
  constexpr int kSteps = 50;  // of the bar
  return progress.is_visible() ? std::max(1, options.iterations / kSteps) : options.iterations;
}

template <class AnyBlock>
kaon::Task<Outcome> relax(kaon::Proxy<AnyBlock> blocks, Options options) {
  Progress progress(options.iterations);
  const int most = stride(options, progress);
  Outcome outcome;
  for (auto start = Clock::now(); outcome.steps() < options.iterations;) {
    const bool warms_up = outcome.steps() < options.warm_up;
    const int count = std::min(most, (warms_up ? options.warm_up : options.iterations) - outcome.steps());
    outcome.change = co_await blocks.template call_all<&AnyBlock::run>(kaon::max, count);
    const auto now = Clock::now();
    (warms_up ? outcome.warm_up : outcome.later) += {count, now - std::exchange(start, now)};
    progress.show(outcome.steps());
    if (options.tolerance > 0 && outcome.change <= options.tolerance) break;
  }
  co_return outcome;
}

// The slice in the middle along x, from the blocks that it goes through.
template <class AnyBlock>
kaon::Task<> draw(kaon::Proxy<AnyBlock> blocks, Decomposition cube, std::string path) {
  examples::Picture picture(cube.cells[1], cube.cells[2]);
  const Triple shape = cube.block_shape();
  const int x = cube.cells[0] / 2;
  for (int y = 0; y < cube.blocks[1]; ++y)
    for (int z = 0; z < cube.blocks[2]; ++z) {
      const std::vector<double> values =
          co_await blocks[{x / shape[0], y, z}].template call<&AnyBlock::slice>(x % shape[0]);
      picture.place(y * shape[1], z * shape[2], shape[2], values);
    }
  picture.write(path);
}

template <class AnyBlock>
kaon::Task<int> solve(kaon::Proxy<AnyBlock> blocks, Options options) {
  const Decomposition cube = options.decomposition;
  const Outcome outcome = co_await relax(blocks, options);

  CompensatedSum sum;
  if (!options.sends_only) sum = co_await blocks.template call_all<&AnyBlock::sum>(AddSums());
  const Result result = make_result(outcome.change, sum.value(), outcome.warm_up, outcome.later, volume(cube.cells));
  std::puts(result_line(result).c_str());
  if (!options.json.empty()) write_json(result, options.json);
  if (!options.picture.empty()) co_await draw(blocks, cube, options.picture);
  co_return 0;
}

kaon::Shape shape_of(const Triple& blocks) { return kaon::Shape(blocks[0], blocks[1], blocks[2]); }

kaon::Task<kaon::Proxy<ResidentBlock>> create_resident(kaon::Runtime& runtime, Options options) {
  const auto made = co_await runtime.create<ResidentBlock>(shape_of(options.decomposition.blocks), options);
  co_await made.call_all<&ResidentBlock::connect>(kaon::max);
  co_return made;
}

kaon::Task<kaon::Proxy<ChannelBlock>> create_with_channels(kaon::Runtime& runtime, Options options) {
  const auto made = co_await runtime.create<ChannelBlock>(shape_of(options.decomposition.blocks), options);
  co_await made.call_all<&ChannelBlock::connect>(kaon::max);
  co_return made;
}

kaon::Task<int> jacobi3d(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const Understood understood = understand(arguments, runtime.has_devices());
  if (!understood.options) co_return understood.code;
  Options options = *understood.options;
  const int pes = static_cast<int>(runtime.pes()), blocks = static_cast<int>(volume(options.decomposition.blocks));
  options.blocks_of_pe = (blocks + pes - 1) / pes;
  if (options.level == Level::device) co_return co_await solve(co_await create_resident(runtime, options), options);
  if (options.level == Level::channel)
    co_return co_await solve(co_await create_with_channels(runtime, options), options);
  const kaon::Shape shape = shape_of(options.decomposition.blocks);
  const auto lockstep = co_await runtime.create_group<Lockstep>();
  co_return co_await solve(co_await runtime.create<Block>(shape, options, runtime.has_devices(), lockstep), options);
}

}  // namespace jacobi3d

int main(int argc, char** argv) { return kaon::run(argc, argv, jacobi3d::jacobi3d); }
