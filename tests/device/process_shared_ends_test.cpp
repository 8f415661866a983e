// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// PEs that leave a resident scheduler which they share, and what it tells them then.
#include <cstdint>
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/ledger_node.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using ledger_node::Clerk;
using ledger_node::open_ledger;

DeviceSceneSettings scene_of_pes(int pes) {
  DeviceSceneSettings settings;
  settings.shape = {1, pes};
  return settings;
}

/// The run ends while PEs are told more than their rings hold.
Task<> end_while_told(Runtime& runtime, int owner, int whom) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await clerks[owner].call<&Clerk::join_with_patience>();
  for (const int i : {0, 1, 2}) co_await clerks[i].call<&Clerk::join_with_patience>();
  const auto ledger = co_await clerks[whom].call<&Clerk::open>();
  co_await clerks[whom].call<&Clerk::use>(ledger);
  co_await clerks[whom].call<&Clerk::repeat>(20'000U, static_cast<std::uint32_t>(whom));
}

Task<> leave_when_told(Runtime& runtime, int who) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await open_ledger(clerks, 2, 0, 0);
  const std::uint32_t before = co_await clerks[who].call<&Clerk::heard>();
  co_await clerks[who].call<&Clerk::listen_once>();
  clerks[1 - who].send<&Clerk::repeat>(100U, static_cast<std::uint32_t>(who));
  co_await runtime.quiescence();
  CHECK_AWAITED(clerks[who].call<&Clerk::heard>(), before + 1);
  clerks[who].send<&Clerk::enter>(10U);
  CHECK_AWAITED(clerks[who].call<&Clerk::total>(), 10);
}

Task<> leave_while_awaiting(Runtime& runtime, int who) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await open_ledger(clerks, 2, 0, 0);
  co_await clerks[who].call<&Clerk::await_and_leave>();
  co_await runtime.quiescence();
  CHECK_AWAITED(clerks[1 - who].call<&Clerk::urgent>(), 1);
}

Task<> join_one_after_the_other(Runtime& runtime, int most) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  for (int i = 0; i < most; ++i) CHECK_AWAITED(clerks[i].call<&Clerk::refusal_to_join>(), "");
  const auto ledger = co_await clerks[0].call<&Clerk::open>();
  CHECK_AWAITED(clerks[most - 1].call<&Clerk::total_of>(ledger), 0);
  for (const int late : {most, most + 1, most})
    CHECK_THAT_AWAITED(clerks[late].call<&Clerk::refusal_to_join>(),
                       contains_text("is shared by at most " + std::to_string(most) + " PEs"));
}

Task<> tell_a_stranger(Runtime& runtime, int who) {
  const auto clerks = co_await runtime.create_group<Clerk>();
  co_await open_ledger(clerks, 2, 0, 0);
  co_await clerks[who].call<&Clerk::introduce_stranger>();
  clerks[who].send<&Clerk::repeat>(1U, static_cast<std::uint32_t>(who));
  co_await runtime.quiescence();
}

}  // namespace

TEST_CASE("a run ends while PEs of a shared scheduler are told more than their rings hold", "[device][resident]") {
  for (const int owner : {0, 1, 2})
    for (const int whom : {0, 1, 2}) {
      CAPTURE(owner, whom);
      DeviceScene scene(scene_of_pes(3));
      scene.run([&](Runtime& runtime) { return end_while_told(runtime, owner, whom); });
    }
}

TEST_CASE("who leaves a shared scheduler when it is told something, and comes back, hears nothing more of it",
          "[device][resident]") {
  for (const int who : {0, 1}) {
    CAPTURE(who);
    DeviceScene scene(scene_of_pes(2));
    scene.run([who](Runtime& runtime) { return leave_when_told(runtime, who); });
  }
}

TEST_CASE("a task that awaits a flag goes on when the PE that has made it has left the scheduler",
          "[device][resident]") {
  for (const int who : {0, 1}) {
    CAPTURE(who);
    DeviceScene scene(scene_of_pes(2));
    scene.run([who](Runtime& runtime) { return leave_while_awaiting(runtime, who); });
  }
}

TEST_CASE("there are as many targets on the host as their numbers tell apart", "[device][resident][bad input]") {
  DeviceScene scene(scene_of_pes(2));
  scene.run([](Runtime& runtime) -> Task<> {
    const auto clerks = co_await runtime.create_group<Clerk>();
    co_await open_ledger(clerks, 2, 0, 0);
    for (const int who : {0, 1}) {
      CHECK_THAT_AWAITED(clerks[who].call<&Clerk::make_targets>(), contains_text("was called 65535 times by this PE"));
      clerks[1 - who].send<&Clerk::repeat>(1U, static_cast<std::uint32_t>(who));
      co_await runtime.quiescence();
      CHECK_AWAITED(clerks[who].call<&Clerk::heard>(), 1);
    }
  });
}

TEST_CASE("a shared scheduler has as many members as tickets tell apart", "[device][resident][bad input]") {
  constexpr int kMost = gpu::member::kMostGuests + 1;
  DeviceScene scene(scene_of_pes(kMost + 2));
  scene.run([](Runtime& runtime) { return join_one_after_the_other(runtime, kMost); });
}

TEST_CASE("a target of another scheduler is none of who shares one", "[device][resident][bad input]") {
  for (const int who : {0, 1}) {
    CAPTURE(who);
    DeviceScene scene(scene_of_pes(2));
    const std::string text =
        thrown<UsageError>([&] { scene.run([who](Runtime& runtime) { return tell_a_stranger(runtime, who); }); });
    CHECK_THAT(text, contains_text("told a HostTarget that on_host() of its scheduler has not made"));
  }
}

}  // namespace kaon::testing
