// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels of several processes, which run together
// Small payloads that come into memory which their receivers have lent, and those whose receivers have chosen another.
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "tests/device/carried_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/resident_cells.hpp"

namespace kaon::testing {
namespace lent {

enum class Kind : std::uint8_t { pooled, landed, deferred, any };
constexpr std::size_t kMostInts = 1024;

/// Sends what has come on to the next one, of another kind and size if these are to be chosen.
class Player : public Chare<Player> {
 public:
  using Values = Payload<int>;

  /// From now on its PE has a kernel that carries.
  void open(std::uint32_t seed) {
    random_.seed(seed + static_cast<std::uint32_t>(index().x));
    if (!cells_) cells_.emplace(options_of(1));
  }
  void shut() { cells_.reset(); }
  Task<> pooled(Kind kind, std::uint32_t left, std::size_t size, Values values) {
    co_await note(std::move(values), size, left);
    if (left > 0) send(kind, left - 1, next());
  }
  Task<> landed(Kind kind, std::uint32_t left, std::size_t size, Values values) {
    co_await note(std::move(values), size, left);
    if (left > 0) send(kind, left - 1, next());
  }
  Task<> deferred(Kind kind, std::uint32_t left, std::size_t size, Values values) {
    if (left % 2 == 0)
      co_await land(values, Landing::pooled());
    else
      co_await land(values, Landing::into(landing_.span().subspan(0, size), stream_));
    co_await note(std::move(values), size, left);
    if (left > 0) send(kind, left - 1, next());
  }
  Landing post(PostFor<&Player::landed>, Kind, std::uint32_t, std::size_t size, const Values&) {
    return Landing::into(landing_.span().subspan(0, size), stream_);
  }
  Landing post(PostFor<&Player::deferred>, Kind, std::uint32_t, std::size_t, const Values&) { return Landing::later(); }
  void start(Kind kind, std::uint32_t hops) { send(kind, hops, next()); }
  /// So many at once, which nobody sends on.
  void burst(Kind kind, PeId to, int count) {
    for (int i = 0; i < count; ++i) send(kind, 0, array()[static_cast<int>(to)]);
  }
  /// Keeps what comes from now on.
  void hoard(Values values) { hoarded_.push_back(std::move(values)); }
  void give_to_hoard(int seed) { next().send<&Player::hoard>(made_on(stream_, 16, seed)); }
  /// How many of those that were kept are what they were.
  Task<int> good_of_hoard() {
    int good = 0, seed = 0;
    for (Values& values : hoarded_) {
      const bool is_good = co_await is_right(stream_, std::move(values), 16, seed);
      good += is_good;
      ++seed;
    }
    co_return good;
  }
  void give_all(int count) {
    std::vector<Values> all;
    for (int i = 0; i < count; ++i) all.push_back(made_on(stream_, 3, i));
    next().send<&Player::take_all>(std::move(all));
  }
  Task<> take_all(std::vector<Values> all) {
    for (std::size_t i = 0; i < all.size(); ++i) co_await note(std::move(all[i]), 3, static_cast<std::uint32_t>(i));
  }
  int good() const { return good_; }

 private:
  Element<Player> next() const { return array()[(index().x + 1) % array().shape().x]; }
  void send(Kind kind, std::uint32_t left, Element<Player> to) {
    const Kind chosen = kind == Kind::any ? Kind(random_() % 3) : kind;
    const std::size_t size = kind == Kind::any ? 1 + random_() % kMostInts : 16;
    Values values = made_on(stream_, size, static_cast<int>(left));
    if (chosen == Kind::pooled) to.send<&Player::pooled>(kind, left, size, std::move(values));
    if (chosen == Kind::landed) to.send<&Player::landed>(kind, left, size, std::move(values));
    if (chosen == Kind::deferred) to.send<&Player::deferred>(kind, left, size, std::move(values));
  }
  Task<> note(Values values, std::size_t size, std::uint32_t left) {
    const bool is_good = co_await is_right(stream_, std::move(values), size, static_cast<int>(left));
    good_ += is_good;
  }

  gpu::Stream stream_;
  gpu::Buffer<int> landing_{kMostInts, stream_};
  std::optional<Cells> cells_;
  std::minstd_rand random_;
  std::vector<Values> hoarded_;
  int good_ = 0;
};

using Players = Group<Player>;

Task<> play(Runtime& runtime, std::function<void(Players)> play, int wanted, std::uint32_t seed = 1) {
  const auto players = co_await runtime.create_group<Player>();
  players.broadcast<&Player::open>(seed);
  co_await runtime.quiescence();
  play(players);
  co_await runtime.quiescence();
  co_await expect_good(players, wanted);
}

}  // namespace lent

using namespace lent;

TEST_CASE("a payload whose receiver chooses no memory comes by itself from the second one on", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{5}));
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        co_await play(
            runtime, [](Players players) { players[0].send<&Player::start>(Kind::pooled, 99U); }, 100);
      },
      settings);
  CHECK(seen.carried == 100);
  CHECK(seen.by_themselves == 98);  // all but the first of each direction
  CHECK(seen.lent == 2);
}

TEST_CASE("a payload that came by itself for a receiver who chooses his memory ends what was lent",
          "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto players = co_await runtime.create_group<Player>();
    players.broadcast<&Player::open>(1U);
    for (const Kind kind : {Kind::pooled, Kind::pooled, Kind::landed}) {
      co_await runtime.quiescence();
      players[0].send<&Player::start>(kind, 1U);
    }
    co_await runtime.quiescence();
    co_await expect_good(players, 6);
  });
  CHECK(seen.carried == 6);
  CHECK(seen.by_themselves == 2);
  CHECK(seen.lent == 0);
}

TEST_CASE("nothing is lent for payloads whose receivers choose their memory", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    co_await play(
        runtime, [](Players players) { players[0].send<&Player::start>(Kind::landed, 49U); }, 50);
  });
  CHECK(seen.carried == 50);
  CHECK(seen.by_themselves == 0);
}

TEST_CASE("who chooses the memory of what he receives lends none from the first payload on", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    co_await play(
        runtime, [](Players players) { players[0].send<&Player::start>(Kind::landed, 1U); }, 2);
  });
  CHECK(seen.carried == 2);
  CHECK(seen.lent == 0);
}

TEST_CASE("small payloads come whole wherever their receivers want them, one after the other", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{11}));
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        co_await play(
            runtime, [](Players players) { players[0].send<&Player::start>(Kind::any, 149U); }, 150, 7);
      },
      settings);
  CHECK(seen.carried == 150);
  CHECK(seen.by_themselves > 0);
  CHECK(seen.by_themselves < 150);
}

TEST_CASE("more small payloads at once than places are lent come whole", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.shape = GENERATE(Network::Shape{2, 1}, Network::Shape{3, 1}, Network::Shape{2, 2});
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{4}));
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        const auto pes = static_cast<int>(runtime.pes());
        const auto play_all = [pes](Players players) {
          for (int i = 0; i < 2 * pes * pes; ++i)
            players[i % pes].send<&Player::burst>(i % 3 == 2 ? Kind::deferred : Kind::pooled,
                                                  static_cast<PeId>(i / pes % pes), 40);
        };
        co_await play(runtime, play_all, 80 * pes * pes);
      },
      settings);
  CHECK(seen.by_themselves > 20);
}

TEST_CASE("of the small payloads of a message as many are carried as may be under way", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    co_await play(
        runtime, [](Players players) { players.broadcast<&Player::give_all>(1100); }, 2200);
  });
  CHECK(seen.carried == 2 * 64);
}

TEST_CASE("a run may end while small payloads are under way", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{31}));
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        const auto players = co_await runtime.create_group<Player>();
        players.broadcast<&Player::open>(1U);
        co_await runtime.quiescence();
        players[0].send<&Player::start>(Kind::pooled, 20U);
        players.broadcast<&Player::burst>(Kind::pooled, PeId{0}, 30);
        players.broadcast<&Player::give_all>(1100);
        for (int i = 0; i < 20; ++i) (void)co_await players.call_all<&Player::good>(kaon::sum);
      },
      settings);
  CHECK(seen.carried > 0);
}

TEST_CASE("payloads that came by themselves stay what they are as long as they are kept", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto players = co_await runtime.create_group<Player>();
    players.broadcast<&Player::open>(1U);
    co_await runtime.quiescence();
    for (int seed = 0; seed < 30; ++seed) {
      players[0].send<&Player::give_to_hoard>(seed);
      co_await runtime.quiescence();
    }
    const int good = co_await players[1].call<&Player::good_of_hoard>();
    CHECK(good == 30);
  });
  CHECK(seen.by_themselves == 29);
}

TEST_CASE("who has no kernel any more is sent to, and sends, although places are lent", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto players = co_await runtime.create_group<Player>();
    for (int life = 0; life < 3; ++life) {
      players.broadcast<&Player::open>(1U);
      co_await runtime.quiescence();
      players[0].send<&Player::start>(Kind::pooled, 9U);
      co_await runtime.quiescence();
      players[1].send<&Player::shut>();
      players[0].send<&Player::start>(Kind::any, 9U);
      co_await runtime.quiescence();
    }
    co_await expect_good(players, 60);
  });
  CHECK(seen.carried >= 30);
}

}  // namespace kaon::testing
