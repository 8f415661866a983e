// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <kaon/testing.hpp>

#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"

namespace kaon::ampi {

/// The run was ended by a rank.
struct Aborted : std::runtime_error {
  Aborted(int code, const std::string& text) : std::runtime_error(text), code(code) {}
  int code;
};

/// Runs a function as the program of so many ranks, on all PEs of a scene, whose seed chooses the order of things.
inline int run_ranks_of_scene(int ranks, const testing::Network::Shape& shape, std::uint64_t seed,
                              std::function<void(Rank&)> program) {
  testing::Scene scene(shape, testing::default_options(), seed);
  scene.network().set_order(testing::LoopbackNetwork::Order::any);
  WorldOptions options;
  options.ranks = ranks;
  options.stack_bytes = std::size_t{256} << 10;
  World world(
      options,
      [&](Rank& rank) {
        program(rank);
        return 0;
      },
      [](int code, const std::string& text) { throw Aborted(code, text); });
  int code = -1;
  scene.run([&](Runtime& runtime) -> Task<> { code = co_await run_ranks(runtime); });
  return code;
}

}  // namespace kaon::ampi
