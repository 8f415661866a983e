// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Seeds choose what PEs do with the resident scheduler that they share.
#include <cstdint>
#include <random>
#include <string>

#include "tests/device/device_scene.hpp"
#include "tests/device/ledger_node.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using ledger_node::Clerk;
using ledger_node::open_ledger;

/// What clerks are asked for, at random, and what is to come of it.
template <class Clerks>
class Choices {
 public:
  Choices(const Clerks& clerks, std::uint32_t pes, std::uint64_t seed) : clerks_(clerks), pes_(pes), random_(seed) {}

  std::uint32_t below(std::uint32_t end) { return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random_); }
  int pe() { return static_cast<int>(below(pes_)); }
  void ask_one() {
    const auto clerk = clerks_[pe()];
    const std::uint32_t whom = below(pes_), count = 1 + below(40), few = 1 + below(4);
    switch (below(7)) {
      case 0:
        total += count;
        return clerk.template send<&Clerk::enter>(count);
      case 1:
        total += few;
        return clerk.template send<&Clerk::ask>(few);
      case 2:
        total += count;
        return clerk.template send<&Clerk::amend>(std::uint64_t{count});
      case 3:
        urgent += few;
        return clerk.template send<&Clerk::hasten>(few);
      case 4:
        ++urgent;
        return clerk.template send<&Clerk::await_flag>(few);
      case 5:
        heard += 1U << few;
        return clerk.template send<&Clerk::spread>(few, whom);
      default:
        heard += 100 * count;
        return clerk.template send<&Clerk::repeat>(100 * count, whom);
    }
  }

  std::uint64_t total = 0, urgent = 0, heard = 0;

 private:
  Clerks clerks_;
  std::uint32_t pes_;
  std::mt19937_64 random_;
};

Task<std::string> do_as_chosen(Runtime& runtime, std::uint64_t seed) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  const auto pes = static_cast<std::uint32_t>(runtime.pes());
  Choices choices(clerks, pes, seed);
  co_await open_ledger(clerks, pes, choices.below(pes), choices.below(2) * 1000.0);
  const auto ledger = co_await clerks[choices.pe()].template call<&Clerk::ledger>();
  ledger_node::Findings found;
  ledger_node::heard_by_all = 0;
  for (int round = 0; round < 4; ++round) {
    for (std::uint32_t i = choices.below(30); i > 0; --i) choices.ask_one();
    co_await runtime.quiescence();
    const auto looker = clerks[choices.pe()];
    found.expect("heard", ledger_node::heard_by_all, choices.heard);
    found.expect("total", co_await looker.template call<&Clerk::total>(), choices.total);
    found.expect("urgent", co_await looker.template call<&Clerk::urgent>(), choices.urgent);
    found.expect("out of order", co_await looker.template call<&Clerk::wrong>(), 0);
    const auto leaver = clerks[choices.pe()];
    co_await leaver.template call<&Clerk::leave>();
    co_await leaver.template call<&Clerk::join>(1U, 0.0, 64U);
    co_await leaver.template call<&Clerk::use>(ledger);
  }
  co_return found.text();
}

Task<> check_choices(Runtime& runtime, std::uint64_t seed) { CHECK_AWAITED(do_as_chosen(runtime, seed), ""); }

}  // namespace

TEST_CASE("whatever PEs do with the scheduler that they share, in whatever order, comes as it should",
          "[device][resident]") {
  constexpr std::uint64_t kSeeds = 24;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = {1, 1 + static_cast<int>(seed % 7)};
    settings.seed = seed;
    CAPTURE(seed, settings.shape.pes_per_process);
    DeviceScene scene(settings);
    scene.run([seed](Runtime& runtime) { return check_choices(runtime, seed); },
              static_cast<PeId>(seed % scene.network().pes()));
  }
}

}  // namespace kaon::testing
