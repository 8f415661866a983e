// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

struct Counted : Work {
  int* runs = nullptr;
};

}  // namespace

TEST_CASE("a PE that was stopped runs nothing more of what is ready", "[runtime][pe]") {
  Network network({1, 1});
  int runs = 0;
  std::array<Counted, 20> ready;
  for (Counted& work : ready) {
    work.runs = &runs;
    work.run = [](Work& self, Pe& pe) {
      if (++*static_cast<Counted&>(self).runs == 3) pe.stop();
    };
    network.on(0, [&](Pe& pe) { pe.enqueue(work); });
  }
  network.run(0, 64);
  CHECK(runs == 3);
}
