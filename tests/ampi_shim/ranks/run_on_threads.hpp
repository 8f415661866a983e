// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "kaon/chares/session.hpp"
#include "kaon/runtime/launch/alone_bootstrap.hpp"

namespace kaon::ampi {

/// Runs a function as the program of all ranks, on so many PEs of this process. Gives the run's exit code.
inline int run_ranks_on_threads(int ranks, int pes, const std::function<void(Rank&)>& program) {
  WorldOptions world_options;
  world_options.ranks = ranks;
  world_options.stack_bytes = std::size_t{256} << 10;
  World world(
      world_options,
      [&](Rank& rank) {
        program(rank);
        return 0;
      },
      [](int, const std::string& text) { throw std::runtime_error(text); });
  launch::AloneBootstrap alone;
  Options options;
  options.pes = pes;
  options.pin = false;
  Session session(options, alone);
  return session.run_once([](Runtime& runtime) { return run_ranks(runtime); });
}

}  // namespace kaon::ampi
