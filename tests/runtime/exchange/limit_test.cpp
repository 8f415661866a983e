// SPDX-License-Identifier: Apache-2.0
// What a PE may hold for slow receivers is bounded, and who is told so has sent nothing.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::limits {

std::vector<int> taken;

void take(Pe&, int number, std::vector<char>) { taken.push_back(number); }

TEST_CASE("a send that is refused for want of room has not been made", "[runtime][outbox][neighbours]") {
  Options options = default_options();
  options.credits = 2;
  options.queue_limit_mib = 1;
  const bool is_one_process = GENERATE(true, false);
  Network network(is_one_process ? Network::Shape(1, 2) : Network::Shape(2, 1), options);
  taken.clear();
  int sent = 0;
  network.on(0, [&](Pe& pe) {
    const std::uint64_t made = pe.counts().made;
    try {
      for (;; ++sent) RemoteProcedure<&take, Counting::counted>::send(pe, 1, sent, std::vector<char>(100'000));
    } catch (const OutOfMemory&) {
    }
    CHECK(pe.counts().made - made == static_cast<std::uint64_t>(sent));
  });
  network.run_until_idle();
  std::vector<int> all(static_cast<std::size_t>(sent));
  std::iota(all.begin(), all.end(), 0);
  std::sort(taken.begin(), taken.end());
  CHECK(taken == all);
}

}  // namespace kaon::testing::limits
