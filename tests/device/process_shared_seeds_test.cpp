// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Seeds choose what PEs do with the resident scheduler that they share.
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/ledger_node.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using ledger_node::Clerk;

/// What clerks of one process are asked for, at random, and what is to come of it.
template <class Clerks>
class Choices {
 public:
  Choices(const Clerks& clerks, std::uint32_t first, std::uint32_t pes, std::mt19937_64& random)
      : clerks_(clerks), first_(first), pes_(pes), random_(random) {}

  std::uint32_t below(std::uint32_t end) { return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random_); }
  std::uint32_t pe() { return first_ + below(pes_); }
  auto clerk() { return clerks_[static_cast<int>(pe())]; }
  void ask_one() {
    const auto clerk = this->clerk();
    const std::uint32_t whom = pe(), count = 1 + below(40), few = 1 + below(4);
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
  /// The first one that joins has the kernel.
  Task<> open() {
    const double idle_us = below(2) * 1000.0;
    co_await clerk().template call<&Clerk::join>(3U, idle_us, 1024U);
    for (std::uint32_t i = first_; i < first_ + pes_; ++i)
      co_await clerks_[static_cast<int>(i)].template call<&Clerk::join>(2U, idle_us, 1024U);
    ledger_ = co_await clerk().template call<&Clerk::open>();
    for (std::uint32_t i = first_; i < first_ + pes_; ++i)
      co_await clerks_[static_cast<int>(i)].template call<&Clerk::use>(ledger_);
  }
  Task<> look(ledger_node::Findings& found) {
    const auto looker = clerk();
    found.expect("total", co_await looker.template call<&Clerk::total>(), total);
    found.expect("urgent", co_await looker.template call<&Clerk::urgent>(), urgent);
    found.expect("out of order", co_await looker.template call<&Clerk::wrong>(), 0);
  }
  Task<> leave_and_return() {
    const auto leaver = clerk();
    co_await leaver.template call<&Clerk::leave>();
    co_await leaver.template call<&Clerk::join>(1U, 0.0, 64U);
    co_await leaver.template call<&Clerk::use>(ledger_);
  }

  std::uint64_t total = 0, urgent = 0, heard = 0;

 private:
  Clerks clerks_;
  std::uint32_t first_, pes_;
  std::mt19937_64& random_;
  ledger_node::Object ledger_;
};

Task<std::string> do_as_chosen(Runtime& runtime, std::uint32_t processes, std::uint64_t seed) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  const auto pes = static_cast<std::uint32_t>(runtime.pes()) / processes;
  std::mt19937_64 random(seed);
  std::vector<Choices<std::remove_const_t<decltype(clerks)>>> choices;
  for (std::uint32_t process = 0; process < processes; ++process)
    choices.emplace_back(clerks, process * pes, pes, random);
  for (auto& of_process : choices) co_await of_process.open();
  ledger_node::Findings found;
  ledger_node::heard_by_all = 0;
  for (int round = 0; round < 4; ++round) {
    std::uint64_t heard = 0;
    for (auto& of_process : choices)
      for (std::uint32_t i = of_process.below(30); i > 0; --i) of_process.ask_one();
    co_await runtime.quiescence();
    for (auto& of_process : choices) heard += of_process.heard;
    found.expect("heard", ledger_node::heard_by_all, heard);
    for (auto& of_process : choices) co_await of_process.look(found);
    for (auto& of_process : choices) co_await of_process.leave_and_return();
  }
  co_return found.text();
}

Task<> check_choices(Runtime& runtime, int processes, std::uint64_t seed) {
  CHECK_AWAITED(do_as_chosen(runtime, static_cast<std::uint32_t>(processes), seed), "");
}

}  // namespace

TEST_CASE("whatever PEs do with the scheduler that they share, in whatever order, comes as it should",
          "[device][resident]") {
  constexpr std::uint64_t kSeeds = 24;
  const Network::Shape shapes[] = {{1, 2}, {1, 3}, {2, 2}, {1, 5}, {2, 3}, {3, 2}, {1, 7}, {1, 1}};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = shapes[seed % std::size(shapes)];
    settings.seed = seed;
    const int processes = settings.shape.processes;
    CAPTURE(seed, processes, settings.shape.pes_per_process);
    DeviceScene scene(settings);
    scene.run([=](Runtime& runtime) { return check_choices(runtime, processes, seed); },
              static_cast<PeId>(seed % scene.network().pes()));
  }
}

}  // namespace kaon::testing
