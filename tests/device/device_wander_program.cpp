// SPDX-License-Identifier: Apache-2.0
// Rings of chares that have channels with their neighbors and move meanwhile; the exit code says how many heard wrong.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/wanderer.hpp"

namespace {

using kaon::testing::RingWay;
using kaon::testing::Wanderer;

constexpr std::uint32_t kRounds = 60;

kaon::Task<int> wander(kaon::Runtime& runtime, RingWay way, std::uint32_t seed) {
  const int members = static_cast<int>(2 + seed % 4);
  const auto wanderers = co_await runtime.create<Wanderer>(members, members, way, seed);
  (void)co_await wanderers.call_all<&Wanderer::connect>(kaon::sum);
  wanderers.broadcast<&Wanderer::walk>(kRounds);
  co_await runtime.quiescence();
  const std::vector<kaon::testing::RingNumbers> expected = kaon::testing::told_in_ring(members, kRounds);
  int wrong = 0;
  for (int i = 0; i < members; ++i) {
    const kaon::testing::RingNumbers numbers = co_await wanderers[i].call<&Wanderer::numbers>();
    if (numbers != expected[static_cast<std::size_t>(i)]) ++wrong;
  }
  (void)co_await wanderers.call_all<&Wanderer::close>(kaon::sum);
  co_return wrong;
}

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const auto first = static_cast<std::uint32_t>(std::stoul(arguments.at(0)));
  const auto last = static_cast<std::uint32_t>(std::stoul(arguments.at(1)));
  int wrong = 0;
  for (std::uint32_t seed = first; seed <= last; ++seed)
    for (const RingWay way : {RingWay::task, RingWay::stream, RingWay::gathered})
      wrong += co_await wander(runtime, way, seed);
  std::printf("%d are wrong\n", wrong);
  co_return wrong;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, run, kaon::with_devices); }
