// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels of several processes, which run together
// Small payloads that are carried in crowds: while nobody fetches others, and when their numbers go around.
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "tests/device/carried_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/resident_cells.hpp"

namespace kaon::testing {
namespace crowded {

/// Packs one payload twice.
struct Twice {
  Payload<int> one, again;
  template <class Archive>
  void pup(Archive& archive) {
    if constexpr (Archive::is_saving)
      archive(one, one);
    else
      archive(one, again);
  }
};

/// Keeps what comes, unfetched or fetched, until it is told to look at it.
class Keeper : public Chare<Keeper> {
 public:
  using Values = Payload<int>;
  using Filler = std::array<char, 1000>;
  static constexpr std::size_t kMany = 1100;  // more than a board has room for

  void open() { cells_.emplace(options_of(1)); }
  void fill(const Filler&) { ++fillers_; }
  void keep(Values values) { kept_.push_back(std::move(values)); }
  Landing post(PostFor<&Keeper::keep>, const Values&) { return Landing::later(); }
  void keep_all(std::vector<Values> all) { kept_ = std::move(all); }
  std::array<Landing, kMany> post(PostFor<&Keeper::keep_all>, const std::vector<Values>&) {
    std::array<Landing, kMany> landings;
    landings.fill(Landing::later());
    return landings;
  }
  Task<> take(std::size_t size, int seed, Values values) {
    const bool is_good = co_await is_right(stream_, std::move(values), size, seed);
    good_ += is_good;
  }
  /// What it has given is on its way, and what has come is given up.
  Task<> forget() {
    co_await stream_.drained();
    kept_.clear();
  }
  /// Behind so many messages that those to `to` wait for credits.
  void give_kept(PeId to, int fillers, int count) {
    for (int i = 0; i < fillers; ++i) of(to).send<&Keeper::fill>(Filler{});
    for (int i = 0; i < count; ++i) of(to).send<&Keeper::keep>(made_on(stream_, 4, i));
  }
  void give_many(PeId to) {
    std::vector<Values> many;
    for (std::size_t i = 0; i < kMany; ++i) many.push_back(made_on(stream_, 4, static_cast<int>(i)));
    of(to).send<&Keeper::keep_all>(std::move(many));
  }
  void give(PeId to, int count, std::size_t size) {
    for (int i = 0; i < count; ++i) of(to).send<&Keeper::take>(size, i, made_on(stream_, size, i));
  }
  Task<> take_twice(int seed, Twice values) {
    for (Values* const each : {&values.one, &values.again}) {
      const bool is_good = co_await is_right(stream_, std::move(*each), 4, seed);
      good_ += is_good;
    }
  }
  /// The last of those that may be under way is to be the first of two.
  void give_twice(PeId to, int count) {
    give(to, 1, 4);
    for (int i = 0; i < count; ++i) of(to).send<&Keeper::take_twice>(i, Twice{made_on(stream_, 4, i), {}});
  }
  /// Notices for nobody take all the room of its PE's board, until they are taken away.
  void fill_board() {
    for (std::uint32_t i = 0; i < gpu::NoticeBoard::kNotices; ++i) board().post(kNobody, i, {});
  }
  void clear_board() {
    for (std::uint32_t i = 0; i < gpu::NoticeBoard::kNotices; ++i) (void)board().take(kNobody, i);
  }
  /// The latest first.
  Task<> fetch_kept() {
    for (int i = static_cast<int>(kept_.size()); i-- > 0;) {
      Values& values = kept_[static_cast<std::size_t>(i)];
      co_await land(values, Landing::pooled());
      const bool is_good = co_await is_right(stream_, std::move(values), 4, i);
      good_ += is_good;
    }
    kept_.clear();
  }
  int good() const { return good_; }

 private:
  static constexpr PeId kNobody = 99;
  static gpu::NoticeBoard board() { return gpu::these_payloads().platform().notice_boards().own(0); }
  Element<Keeper> of(PeId pe) const { return array()[static_cast<int>(pe)]; }

  gpu::Stream stream_;
  std::optional<Cells> cells_;
  std::vector<Values> kept_;
  int good_ = 0, fillers_ = 0;
};

}  // namespace crowded

using namespace crowded;

TEST_CASE("of the many small payloads of one message the latest may be fetched first", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto keepers = co_await open_on_all<Keeper>(runtime);
    keepers[0].send<&Keeper::give_many>(1U);
    co_await runtime.quiescence();
    keepers[1].send<&Keeper::fetch_kept>();
    co_await runtime.quiescence();
    co_await expect_good(keepers, Keeper::kMany);
  });
  CHECK(seen.carried == 64);
}

TEST_CASE("small payloads whose notices find no room on a board come when there is", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto keepers = co_await open_on_all<Keeper>(runtime);
    keepers[0].send<&Keeper::fill_board>();
    keepers[0].send<&Keeper::give>(1U, 5, std::size_t{4});
    for (int i = 0; i < 20; ++i) (void)co_await keepers.call_all<&Keeper::good>(kaon::sum);
    co_await expect_good(keepers, 0);
    keepers[0].send<&Keeper::clear_board>();
    co_await runtime.quiescence();
    co_await expect_good(keepers, 5);
  });
  CHECK(seen.carried == 5);
}

TEST_CASE("thousands of small payloads that wait to be fetched do not keep the latest from it", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.options.credits = 4;
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        const auto keepers = co_await open_on_all<Keeper>(runtime);
        keepers[0].send<&Keeper::give_kept>(1U, 60, 2500);
        co_await runtime.quiescence();
        keepers[1].send<&Keeper::fetch_kept>();
        co_await runtime.quiescence();
        co_await expect_good(keepers, 2500);
      },
      settings);
  CHECK(seen.carried == 64);  // as many as may be under way; the others wait for credits, too, and go directly
}

TEST_CASE("small payloads that nobody fetches make room for later ones", "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto keepers = co_await open_on_all<Keeper>(runtime);
    for (int round = 0; round < 20; ++round) {
      for (PeId from : {0U, 1U}) keepers[from].send<&Keeper::give_kept>(1 - from, 0, 70);
      co_await runtime.quiescence();
      keepers.broadcast<&Keeper::forget>();
      co_await runtime.quiescence();
    }
  });
  CHECK(seen.carried > 20 * 50);  // of up to 64 each way in each round
}

TEST_CASE("a payload that a message has twice comes twice, also where one more would be too many",
          "[device][carried]") {
  const CarriedCounts seen = run_carried(+[](Runtime& runtime) -> Task<> {
    const auto keepers = co_await open_on_all<Keeper>(runtime);
    keepers[0].send<&Keeper::give_twice>(1U, 100);
    co_await runtime.quiescence();
    co_await expect_good(keepers, 201);
  });
  CHECK(seen.carried >= 64);
}

TEST_CASE("small payloads whose numbers go around come in their order", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.options.payload_counter_bits = 4;
  settings.fetches = false;  // only the network tells equal numbers apart, by their order
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{21}));
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        const auto keepers = co_await open_on_all<Keeper>(runtime);
        for (int round = 0; round < 5; ++round)
          for (PeId from : {0U, 1U}) keepers[from].send<&Keeper::give>(1 - from, 50, std::size_t{32});
        co_await runtime.quiescence();
        co_await expect_good(keepers, 500);
      },
      settings);
  CHECK(seen.carried > 100);
}

}  // namespace kaon::testing
