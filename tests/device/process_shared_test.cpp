// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// A resident scheduler that PEs of a process share.
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/ledger_node.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing {
namespace {

using ledger_node::Clerk;
using ledger_node::open_ledger;

/// Several numbers of PEs in several orders, with kernels that stay, and that park at once.
template <class Check>
void in_many_orders(Check check) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = {1, 1 + static_cast<int>(seed % 4)};
    settings.seed = seed;
    const double idle_us = seed % 3 == 0 ? 1000 : 0;
    CAPTURE(seed, settings.shape.pes_per_process, idle_us);
    DeviceScene scene(settings);
    scene.run([&](Runtime& runtime) { return check(runtime, static_cast<std::uint32_t>(seed / 4), idle_us); },
              static_cast<PeId>(seed % 3 % scene.network().pes()));
  }
}

DeviceSceneSettings scene_of(int pes, std::uint64_t seed = 1) {
  DeviceSceneSettings settings;
  settings.shape = {1, pes};
  settings.seed = seed;
  return settings;
}

Task<> check_entries(Runtime& runtime, std::uint32_t owner, double idle_us) {
  CHECK_AWAITED(ledger_node::enter_together(runtime, owner, idle_us, true), "");
}
Task<> check_told(Runtime& runtime, std::uint32_t owner, double idle_us) {
  CHECK_AWAITED(ledger_node::tell_each_other(runtime, owner, idle_us), "");
}

Task<> leave_and_return(Runtime& runtime, int who) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await open_ledger(clerks, 2, 0, 0);
  clerks[who].send<&Clerk::enter>(10U);
  clerks[1 - who].send<&Clerk::spread>(3U, static_cast<std::uint32_t>(who));
  co_await clerks[who].call<&Clerk::leave>();
  clerks[1 - who].send<&Clerk::enter>(10U);
  clerks[1 - who].send<&Clerk::spread>(3U, static_cast<std::uint32_t>(who));  // nobody hears it
  co_await runtime.quiescence();
  CHECK_AWAITED(clerks[1 - who].call<&Clerk::total>(), 20);
  CHECK_AWAITED(clerks[who].call<&Clerk::join>(1U, 0.0, 64U), 3);
  clerks[who].send<&Clerk::enter>(10U);
  CHECK_AWAITED(clerks[who].call<&Clerk::total>(), 30);
  CHECK_AWAITED(clerks[who].call<&Clerk::wrong>(), 0);
}

Task<> spread_too_far(Runtime& runtime, int who) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await open_ledger(clerks, 2, 0, 0, 8);
  clerks[who].send<&Clerk::spread>(12U, 0U);
  co_await runtime.quiescence();
}

/// PEs 0 and 1 share one, and PEs 2 and 3; the two are linked. What one lets the other do, guests there are told.
Task<> spread_by_peers(Runtime& runtime) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  for (const int i : {0, 2, 1, 3}) co_await clerks[i].call<&Clerk::join>(3U, 0.0, 256U);
  for (const int guest : {1, 3}) {
    const auto ledger = co_await clerks[guest].call<&Clerk::open>();
    for (const int i : {guest - 1, guest}) co_await clerks[i].call<&Clerk::use>(ledger);
  }
  CHECK_THAT_AWAITED(clerks[1].call<&Clerk::refused_link>(),
                     contains_text("make_link(): of a resident scheduler that"));
  const auto one = co_await clerks[0].call<&Clerk::offer>();
  const auto other = co_await clerks[2].call<&Clerk::offer>();
  co_await clerks[0].call<&Clerk::meet>(other);
  co_await clerks[2].call<&Clerk::meet>(one);
  ledger_node::heard_by_all = 0;
  for (std::uint32_t time = 1; time <= 12; ++time) {
    const std::uint32_t from = time % 4, whom = (from / 2 == 0 ? 2 : 0) + time / 4 % 2;
    clerks[static_cast<int>(from)].send<&Clerk::forward>(4U, whom);
    co_await runtime.quiescence();
    CHECK(ledger_node::heard_by_all == time << 4);
  }
}

/// Ends while entries go on, when one PE has been answered.
Task<> end_early(Runtime& runtime, std::uint64_t seed) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await open_ledger(clerks, 3, static_cast<std::uint32_t>(seed % 3), seed % 2 == 0 ? 0 : 1000);
  for (const int i : {0, 1, 2}) clerks[i].send<&Clerk::spread>(5U, static_cast<std::uint32_t>((i + 1) % 3));
  co_await clerks[static_cast<int>(seed / 2 % 3)].call<&Clerk::total>();
}

}  // namespace

TEST_CASE("PEs of a process send to, call and lock one object of the scheduler that they share", "[device][resident]") {
  in_many_orders(check_entries);
}

TEST_CASE("each PE hears what entries of a shared scheduler tell it before there is quiescence", "[device][resident]") {
  in_many_orders(check_told);
}

TEST_CASE("any PE wakes the kernel that all share", "[device][resident]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    DeviceScene scene(scene_of(3, seed));
    scene.run([](Runtime& runtime) -> Task<> {
      const auto clerks = co_await runtime.create_group<Clerk>();
      co_await open_ledger(clerks, 3, 1, 0);
      for (int i = 0; i < 30; ++i) {
        clerks[i % 3].send<&Clerk::enter>(1U);
        co_await runtime.quiescence();
      }
      for (const int i : {0, 1, 2}) CHECK_AWAITED(clerks[i].call<&Clerk::total>(), 30);
    });
  }
}

TEST_CASE("the first PE's options count for all, whose workers there are once", "[device][resident]") {
  DeviceScene scene(scene_of(3));
  scene.run([](Runtime& runtime) -> Task<> {
    const auto clerks = co_await runtime.create_group<Clerk>();
    CHECK_AWAITED(clerks[2].call<&Clerk::join>(3U, 0.0, 64U), 3);
    CHECK_AWAITED(clerks[0].call<&Clerk::join>(2U, 0.0, 64U), 3);
    CHECK_AWAITED(clerks[1].call<&Clerk::join>(40U, 0.0, 64U), 3);
    CHECK_AWAITED(clerks[1].call<&Clerk::most_workers>(), 32);  // beside the dispatcher
  });
}

TEST_CASE("quiescence knows of what a peer of a shared scheduler lets it tell guests", "[device][resident]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    DeviceSceneSettings settings = scene_of(2, seed);
    settings.shape = {2, 2};
    DeviceScene scene(settings);
    scene.run(spread_by_peers, static_cast<PeId>(seed % 4));
  }
}

TEST_CASE("PEs of different devices share no resident scheduler", "[device][resident]") {
  DeviceSceneSettings settings = scene_of(4);
  settings.devices = 2;
  DeviceScene scene(settings);
  scene.run([](Runtime& runtime) -> Task<> {
    const auto clerks = co_await runtime.create_group<Clerk>();
    for (const int i : {0, 1, 2, 3}) {
      const unsigned asked = 4 - static_cast<unsigned>(i);
      CHECK_AWAITED(clerks[i].call<&Clerk::join>(asked, 0.0, 64U), i < 2 ? 4 : 2);
    }
    const auto ledger = co_await clerks[0].call<&Clerk::open>();
    co_await clerks[1].call<&Clerk::use>(ledger);
    CHECK_THAT_AWAITED(clerks[2].call<&Clerk::refusal>(ledger), contains_text("belongs to another resident scheduler"));
  });
}

TEST_CASE("a PE leaves a shared scheduler, and comes back", "[device][resident]") {
  for (const int who : {0, 1}) {
    CAPTURE(who);
    DeviceScene scene(scene_of(2));
    scene.run([who](Runtime& runtime) { return leave_and_return(runtime, who); });
  }
}

TEST_CASE("the stream of a shared scheduler is its first PE's, and all keep buffers", "[device][resident][bad input]") {
  DeviceScene scene(scene_of(2));
  scene.run([](Runtime& runtime) -> Task<> {
    const auto clerks = co_await runtime.create_group<Clerk>();
    co_await open_ledger(clerks, 2, 1, 0);
    CHECK_AWAITED(clerks[1].call<&Clerk::keep_buffer>(), "");
    CHECK_THAT_AWAITED(clerks[0].call<&Clerk::keep_buffer>(), contains_text("stream(): of a resident scheduler that"));
  });
}

TEST_CASE("a fault of a shared scheduler ends the run of whoever sees it", "[device][resident][bad input]") {
  for (const int who : {0, 1}) {
    DeviceScene scene(scene_of(2));
    const std::string text =
        thrown<gpu::GpuError>([&] { scene.run([who](Runtime& runtime) { return spread_too_far(runtime, who); }); });
    CHECK(has(text, "sent 8 times, kaon::testing::Spread at last, while the rings of those it sent to were full"));
  }
}

TEST_CASE("a run ends while PEs use a shared scheduler", "[device][resident]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    DeviceScene scene(scene_of(3, seed));
    scene.run([seed](Runtime& runtime) { return end_early(runtime, seed); });
  }
}

TEST_CASE("a scheduler's objects are of its process", "[device][resident][bad input][outside]") {
  const ProgramRun run = run_program({program("kaonrun"), "-n", "2", test_program("device_ledger_program"), "--pes",
                                      "1", "--device", device_choice()});
  CAPTURE(run.text);
  CHECK(run.code == 2);
  CHECK(run.text.find("belongs to another resident scheduler") != std::string::npos);
}

}  // namespace kaon::testing
