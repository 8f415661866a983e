// SPDX-License-Identifier: Apache-2.0
// How a protocol of one's own is tested: in one thread, with messages in many orders, each of which its seed repeats.
// No framework is needed: whatever throws fails.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include <kaon/testing.hpp>

#include "candidate.hpp"

namespace {

void require(bool is_so, const std::string& what) {
  if (!is_so) throw std::runtime_error(what);
}

/// All candidates ask who has won, and agree, in whatever order their messages arrive.
void all_agree(std::uint64_t seed) {
  constexpr int kCandidates = 13, kStep = 5;
  kaon::testing::Scene scene({3, 2}, kaon::testing::default_options(), seed);  // processes, PEs in each
  scene.network().set_order(kaon::testing::LoopbackNetwork::Order::any);
  scene.run([](kaon::Runtime& runtime) -> kaon::Task<> {
    auto candidates = co_await runtime.create<Candidate>(kCandidates, kStep);
    const int greatest = co_await candidates.call_all<&Candidate::elect>(kaon::max);
    require(greatest == kCandidates - 1, "somebody takes " + std::to_string(greatest) + " for elected");
  });
  scene.run([](kaon::Runtime& runtime) -> kaon::Task<> { co_await runtime.quiescence(); });
}

/// Who is asked alone hears it too: the others stand when they hear of it.
void one_may_ask(std::uint64_t seed) {
  kaon::testing::Scene scene({2, 1}, kaon::testing::default_options(), seed);
  scene.run([](kaon::Runtime& runtime) -> kaon::Task<> {
    auto candidates = co_await runtime.create<Candidate>(5, 2);
    const int leader = co_await candidates[3].call<&Candidate::elect>();
    require(leader == 4, "elected is " + std::to_string(leader));
  });
}

}  // namespace

int main() {
  constexpr std::uint64_t kSeeds = 200;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    try {
      all_agree(seed);
      one_may_ask(seed);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "with seed %lu: %s\n", static_cast<unsigned long>(seed), error.what());
      return 1;
    }
  }
  std::printf("every election ends well, in %lu orders\n", static_cast<unsigned long>(kSeeds));
  return 0;
}
