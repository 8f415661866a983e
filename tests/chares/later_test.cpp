// SPDX-License-Identifier: Apache-2.0
// A payload that its post rule left with the sender, while it is being fetched.
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::later {

constexpr int kSize = 3000;
int sum_of_fetched = 0;

class Fetcher : public Chare<Fetcher> {
 public:
  void keep(Payload<int> values) { values_ = std::move(values); }
  Landing post(PostFor<&Fetcher::keep>, const Payload<int>&) { return Landing::later(); }
  void drop(Payload<int>) {}
  Landing post(PostFor<&Fetcher::drop>, const Payload<int>&) { return Landing::later(); }
  Task<int> fetch() {
    co_await land(values_, Landing::pooled());
    co_return std::accumulate(values_.view().begin(), values_.view().end(), 0);
  }
  /// Into too little memory, then into a buffer of its own.
  Task<std::string> fetch_at_second_try() {
    std::vector<int> too_small(kSize - 1);
    std::string what;
    try {
      co_await land(values_, Landing::into(std::span<int>(too_small)));
    } catch (const UsageError& error) {
      what = error.what();
    }
    const int sum = co_await fetch();
    sum_of_fetched = sum;
    co_return what;
  }
  bool has_values() { return values_.is_here(); }
  std::string use() {
    try {
      (void)values_.view();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  Task<std::string> fetch_again() {
    try {
      co_await land(values_, Landing::pooled());
    } catch (const UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }

 private:
  Payload<int> values_;
};

const Proxy<Fetcher> kOnlyArray(1, 2);
std::vector<std::string> seen;

Task<> give(Runtime& runtime) {
  const Proxy<Fetcher> fetchers = co_await runtime.create<Fetcher>(2);
  std::vector<int> values(kSize);
  std::iota(values.begin(), values.end(), 0);
  fetchers[1].send<&Fetcher::keep>(Payload<int>(std::move(values)));
}

Task<> give_in_vain(Runtime& runtime) {
  const Proxy<Fetcher> fetchers = co_await runtime.create<Fetcher>(2);
  fetchers[1].send<&Fetcher::drop>(Payload<int>(std::vector<int>(kSize)));
}

Task<> fetch(Runtime&) { sum_of_fetched = co_await kOnlyArray[1].call<&Fetcher::fetch>(); }

Task<> fetch_at_second_try(Runtime&) {
  seen.clear();
  seen.push_back(co_await kOnlyArray[1].call<&Fetcher::fetch_at_second_try>());
}

Task<> look(Runtime&) {
  const bool is_here = co_await kOnlyArray[1].call<&Fetcher::has_values>();
  seen = {is_here ? "here" : "under way"};
  seen.push_back(co_await kOnlyArray[1].call<&Fetcher::use>());
  seen.push_back(co_await kOnlyArray[1].call<&Fetcher::fetch_again>());
}

// The payload is announced, and stays on its way until hold({}).
void give_and_hold(Scene& scene) {
  scene.network().wire().hold(
      [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  scene.run(give);
  scene.network().run_until_idle();
}

TEST_CASE("a payload that is being fetched is not here, and is fetched once", "[chares][payload]") {
  namespace later = kaon::testing::later;
  Scene scene(Network::Shape{2, 1});
  Network& network = scene.network();
  later::give_and_hold(scene);
  later::seen.clear();
  later::sum_of_fetched = 0;
  scene.start(later::fetch);
  scene.start(later::look);
  CHECK(network.run_until([] { return later::seen.size() == 3; }));
  CHECK(later::seen.at(0) == "under way");
  CHECK(later::seen.at(1).find("was not fetched yet") != std::string::npos);
  CHECK(later::seen.at(2).find("is being fetched already") != std::string::npos);
  CHECK(later::sum_of_fetched == 0);
  network.wire().hold({});
  CHECK(network.run_until([] { return later::sum_of_fetched == later::kSize * (later::kSize - 1) / 2; }));
}

TEST_CASE("a payload whose landing cannot take it stays with its sender and is fetched at a second try",
          "[chares][payload]") {
  namespace later = kaon::testing::later;
  Scene scene(Network::Shape{2, 1});
  scene.run(later::give);
  scene.network().run_until_idle();
  later::sum_of_fetched = 0;
  scene.run(later::fetch_at_second_try);
  CHECK_FALSE(later::seen.at(0).empty());
  CHECK(later::sum_of_fetched == later::kSize * (later::kSize - 1) / 2);
}

TEST_CASE("at the end of a run a payload that nobody fetched is taken off its sender", "[chares][payload]") {
  namespace later = kaon::testing::later;
  Scene scene(Network::Shape{2, 1});
  Network& network = scene.network();
  later::give_and_hold(scene);
  Pe& sender = network.pe(0);
  Pe& receiver = network.pe(1);
  CHECK(sender.exchange().is_sending());
  REQUIRE(receiver.activities().empty());
  network.on(1, [](Pe& pe) { finish_sending(pe); });
  CHECK_FALSE(receiver.activities().empty());  // it is being received
  network.wire().hold({});
  while (network.wire().deliver_next()) {
  }
  for (const PeId each : {0u, 1u}) network.on(each, [](Pe& pe) { finish_sending(pe); });
  CHECK(receiver.activities().empty());
  CHECK_FALSE(sender.exchange().is_sending());
}

TEST_CASE("a later payload that its entry lets go is taken off its sender", "[chares][payload]") {
  namespace later = kaon::testing::later;
  Scene scene(Network::Shape{2, 1});
  Network& network = scene.network();
  network.wire().hold(
      [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  scene.run(later::give_in_vain);
  network.run_until_idle();
  CHECK_FALSE(network.pe(1).activities().empty());  // it is being received
  network.wire().hold({});
  network.run_until_idle();
  CHECK(network.pe(1).activities().empty());
  CHECK_FALSE(network.pe(0).exchange().is_sending());
}

}  // namespace kaon::testing::later
