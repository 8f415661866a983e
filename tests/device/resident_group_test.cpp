// SPDX-License-Identifier: Apache-2.0
// PEs that share a resident scheduler: each is woken when another begins to wait for the kernel.
#include "kaon/gpu/resident/host/resident_group.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

TEST_CASE("a PE that begins to wait for a shared kernel wakes the others, once until they have looked",
          "[device][resident]") {
  constexpr PeId kPes = 3;
  Network network({1, static_cast<int>(kPes)});
  gpu::ResidentGroup group;
  gpu::ResidentView view{};
  view.guest_count = kPes - 1;
  group.found({}, view);
  for (PeId pe = 0; pe < kPes; ++pe) CHECK(group.add(network.pe(pe), nullptr) == pe);
  CHECK_THROWS_AS(group.add(network.pe(0), nullptr), UsageError);
  for (int round = 0; round < 2; ++round) {
    network.run_all();
    CHECK_FALSE(group.is_working());
    for (int times = 0; times < 2; ++times) network.on(1, [&](Pe&) { group.begin_work(1); });
    CHECK(group.is_working());
    for (PeId pe = 0; pe < kPes; ++pe) CHECK(network.run(pe) == (pe != 1));
    for (int times = 0; times < 2; ++times) group.end_work();
  }
}

}  // namespace kaon::testing
