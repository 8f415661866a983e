// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Ends of channels that are used wrongly, closed and deleted while they or their partners move.
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/moved_ends.hpp"
#include "tests/device/roamer.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using Sizes = std::vector<std::size_t>;
const Sizes kSizes{1, 37, 5003}, kOneSize{37}, kTwoSizes{37, 1};
std::minstd_rand chance;

PeId somewhere(Runtime& runtime) { return static_cast<PeId>(chance() / 16 % static_cast<unsigned>(runtime.pes())); }
unsigned some(unsigned below) { return static_cast<unsigned>(chance() / 16 % below); }

Task<Proxy<Roamer>> connected(Runtime& runtime, const Sizes& counts = kOneSize) {
  const auto roamers = co_await runtime.create<Roamer>(2, counts);
  (void)co_await roamers.call_all<&Roamer::connect>(sum);
  co_return roamers;
}

Task<> hop(Runtime& runtime, Element<Roamer> roamer, unsigned times) {
  for (; times > 0; --times) (void)co_await roamer.call<&Roamer::go>(somewhere(runtime));
}

Task<> hop_both(Runtime& runtime, Proxy<Roamer> roamers) {
  co_await all(hop(runtime, roamers[0], some(4)), hop(runtime, roamers[1], some(4)));
}

Task<bool> talk_both(Proxy<Roamer> roamers, std::uint32_t stop) {
  const auto [one, other] = co_await all(roamers[0].call<&Roamer::talk>(stop), roamers[1].call<&Roamer::talk>(stop));
  co_return one&& other;
}

// --- what main tasks of scenes do

Task<> move_and_move_back(Runtime& runtime) {
  const auto roamers = co_await connected(runtime, kSizes);
  for (std::uint32_t stop = 1; stop < 12; stop += 1 + some(3)) {
    co_await hop_both(runtime, roamers);
    CHECK_AWAITED(talk_both(roamers, stop), true);
  }
  co_await all(roamers[0].call<&Roamer::go>(0), roamers[1].call<&Roamer::go>(1));
  CHECK_AWAITED(talk_both(roamers, 14), true);
  (void)co_await roamers.call_all<&Roamer::close>(sum);
}

Task<> move_and_talk_on(Runtime& runtime) {
  const auto roamers = co_await connected(runtime, kSizes);
  CHECK_AWAITED(talk_both(roamers, 2), true);
  co_await hop_both(runtime, roamers);
  CHECK_AWAITED(talk_both(roamers, 9), true);
}

Task<> use_too_early(Runtime& runtime) {
  const auto roamers = co_await connected(runtime);
  CHECK_AWAITED(talk_both(roamers, 3), true);
  const PeId was = co_await roamers[0].call<&Roamer::where>();
  (void)co_await roamers[0].call<&Roamer::go>((was + 1) % runtime.pes());
  const std::vector<std::string> said = co_await roamers[0].call<&Roamer::misuse>();
  for (const std::string& text : said) CHECK(has(text, "co_await ready() before end(), wait(), raise()"));
  const std::string again = co_await roamers[0].call<&Roamer::connect_with>(37U);
  CHECK(has(again, "each pair of partners makes its own"));
  CHECK_AWAITED(talk_both(roamers, 6), true);
  (void)co_await roamers.call_all<&Roamer::close>(sum);
}

// Without ready() where they have come to, and with rounds that nobody has read.
Task<> close_where_they_have_come_to(Runtime& runtime) {
  const auto roamers = co_await connected(runtime, kSizes);
  const std::uint32_t stop = some(4);
  CHECK_AWAITED(talk_both(roamers, stop), true);
  co_await hop_both(runtime, roamers);
  (void)co_await roamers.call_all<&Roamer::close>(sum);
}

Task<> close_while_the_partner_moves(Runtime& runtime) {
  const auto roamers = co_await connected(runtime, kSizes);
  CHECK_AWAITED(talk_both(roamers, some(4)), true);
  co_await hop(runtime, roamers[some(2)], some(3));
  const auto hop_and_close = [](Runtime& here, Element<Roamer> roamer) -> Task<int> {
    co_await hop(here, roamer, 1 + some(3));
    co_return co_await roamer.call<&Roamer::close>();
  };
  co_await all(roamers[0].call<&Roamer::close>(), hop_and_close(runtime, roamers[1]));
}

constexpr const char* kDeleted = "has deleted its end";

// Before, behind and between the moves of both.
Task<> delete_one(Runtime& runtime) {
  const auto roamers = co_await connected(runtime, kTwoSizes);
  const std::uint32_t stop = some(4);
  CHECK_AWAITED(talk_both(roamers, stop), true);
  co_await hop_both(runtime, roamers);
  if (some(2) == 0) CHECK_AWAITED(talk_both(roamers, stop + 1), true);
  co_await hop_both(runtime, roamers);
  const bool is_ended = some(2) == 0;
  const auto end = [](Element<Roamer> roamer, bool dies) -> Task<int> {
    if (dies) co_return co_await roamer.call<&Roamer::die>();
    co_return co_await roamer.call<&Roamer::drop>();
  };
  co_await all(hop(runtime, roamers[0], some(3)), end(roamers[1], is_ended));
  co_await hop(runtime, roamers[0], some(3));
  const std::string text = co_await roamers[0].call<&Roamer::talk_in_vain>(stop + 5);
  CHECK(has(text, kDeleted));
  const std::string closing = co_await roamers[0].call<&Roamer::close_in_vain>();
  CHECK(has(closing, "deleted its end without closing it"));
  (void)co_await roamers[0].call<&Roamer::drop>();
}

Task<> delete_both(Runtime& runtime) {
  const auto roamers = co_await connected(runtime, kSizes);
  CHECK_AWAITED(talk_both(roamers, some(4)), true);
  co_await hop_both(runtime, roamers);
  const auto hop_and_die = [](Runtime& here, Element<Roamer> roamer) -> Task<int> {
    co_await hop(here, roamer, some(3));
    co_return co_await roamer.call<&Roamer::die>();
  };
  co_await all(hop_and_die(runtime, roamers[0]), hop_and_die(runtime, roamers[1]));
}

// --- and the scenes

void run_scenes(DeviceSceneSettings settings, std::uint64_t seeds, const Scene::MainTask& main_task) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    settings.seed = seed;
    chance.seed(static_cast<unsigned>(seed));
    CAPTURE(seed, settings.shape.processes, settings.shape.pes_per_process, settings.stages_all);
    DeviceScene scene(settings);
    if (seed % 2 == 0) scene.network().set_order(LoopbackNetwork::Order::any);
    scene.run(main_task);
    check_nothing_is_left(scene);
  }
}

void run_scenes(std::uint64_t seeds, const Scene::MainTask& main_task) {
  DeviceSceneSettings settings;
  for (const Network::Shape& shape :
       {Network::Shape{1, 2}, Network::Shape{2, 1}, Network::Shape{2, 2}, Network::Shape{3, 1}})
    for (const bool stages_all : {false, true}) {
      settings.shape = shape;
      settings.stages_all = stages_all;
      run_scenes(settings, seeds, main_task);
    }
}

}  // namespace

TEST_CASE("channels of several sizes follow their chares, also back to where they were", "[device][channel][moved]") {
  run_scenes(6, move_and_move_back);
}

TEST_CASE("some rounds after a move all is as if ends had been made where they are", "[device][channel][moved]") {
  run_scenes(6, move_and_talk_on);
}

TEST_CASE("an end that has moved is used after ready(), and connected once", "[device][channel][moved][bad input]") {
  run_scenes(4, use_too_early);
}

TEST_CASE("channels are closed where their ends have just come to, and while those of partners move",
          "[device][channel][moved]") {
  run_scenes(6, close_where_they_have_come_to);
  run_scenes(6, close_while_the_partner_moves);
}

TEST_CASE("who is left hears that an end was deleted about a move", "[device][channel][moved][bad input]") {
  run_scenes(8, delete_one);
}

TEST_CASE("nothing stays of ends that are deleted on both sides about a move", "[device][channel][moved]") {
  run_scenes(8, delete_both);
}

}  // namespace kaon::testing
