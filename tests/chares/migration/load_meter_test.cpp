// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/load_meter.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

using namespace kaon::chares;

namespace kaon::testing::load_meters {

/// Sends so many vectors to the next one of the ring, and one to itself.
class Talker : public Chare<Talker> {
 public:
  Inbox<std::vector<double>> heard;

  template <class Archive>
  void pup(Archive& archive) {
    archive(heard, first_, stayed_);
  }
  /// The array dealt round robin, so that neighbors are apart.
  void begin() {
    first_ = pe();
    migrate_to(static_cast<PeId>(index().x) % this_runtime().pes());
  }
  Task<> talk(int messages, int size) {
    const int count = array().shape().x;
    for (int i = 0; i < messages; ++i)
      array()[(index().x + 1) % count].send<&Talker::heard>(std::vector<double>(static_cast<std::size_t>(size), 1.0));
    self().send<&Talker::look>();
    for (int i = 0; i < messages; ++i) static_cast<void>(co_await heard.next());
  }
  void look() { ++stayed_; }
  PeId where() const { return pe(); }

 private:
  PeId first_ = 0;
  int stayed_ = 0;
};

Task<> count(Runtime& runtime) {
  constexpr int kCount = 6, kMessages = 3, kSize = 50;
  const auto talkers = co_await runtime.create<Talker>(kCount);
  LoadReport seen;
  const Strategy look = [&seen](const LoadReport& report) { return seen = report, report.places(); };
  co_await runtime.balance(talkers, look);
  for (int round = 0; round < 2; ++round) {
    co_await talkers.call_all_and_wait<&Talker::talk>(kMessages, kSize);
    co_await runtime.rebalance(talkers, look);
    REQUIRE(seen.traffic.size() == kCount);
    for (const Traffic& each : seen.traffic) {
      CHECK(each.to == (each.from + 1) % kCount);
      CHECK(each.messages == kMessages);
      CHECK(each.bytes >= sizeof(double) * kMessages * kSize);
      CHECK(each.bytes < kMessages * (sizeof(double) * kSize + 200));
    }
  }
  co_await runtime.rebalance(talkers, look);
  CHECK(seen.traffic.empty());
}

/// A strategy that does not look at traffic is balanced by first: nothing is counted for it.
Task<> count_for_those_who_look(Runtime& runtime) {
  const auto talkers = co_await runtime.create<Talker>(4);
  LoadReport seen;
  const Strategy look = [&seen](const LoadReport& report) { return seen = report, report.places(); };
  co_await runtime.balance(talkers, strategies::greedy);
  co_await talkers.call_all_and_wait<&Talker::talk>(2, 1);
  co_await runtime.rebalance(talkers, look);
  CHECK(seen.traffic.empty());  // it is from now on
  co_await talkers.call_all_and_wait<&Talker::talk>(2, 1);
  co_await runtime.rebalance(talkers, look);
  CHECK(seen.traffic.size() == 4);
  co_await talkers.call_all_and_wait<&Talker::talk>(2, 1);
  co_await runtime.rebalance(talkers, strategies::none);
  co_await talkers.call_all_and_wait<&Talker::talk>(2, 1);
  co_await runtime.rebalance(talkers, look);
  CHECK(seen.traffic.empty());
}

Task<> cut(Runtime& runtime) {
  constexpr int kCount = 32;
  const auto talkers = co_await runtime.create<Talker>(kCount);
  talkers.broadcast<&Talker::begin>();
  co_await runtime.quiescence();
  co_await runtime.balance(talkers, strategies::graph);
  co_await talkers.call_all_and_wait<&Talker::talk>(5, 100);
  try {
    co_await runtime.rebalance(talkers, strategies::graph);
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("METIS") != std::string::npos);
    co_return;
  }
  int apart = 0;
  std::vector<PeId> places;
  for (int i = 0; i < kCount; ++i) places.push_back(co_await talkers[i].call<&Talker::where>());
  for (std::size_t i = 0; i < kCount; ++i) apart += places[i] != places[(i + 1) % kCount] ? 1 : 0;
  CHECK(apart <= 2 * static_cast<int>(runtime.pes()));
}

TEST_CASE("a table of traffic sums what each pair has, however many there are", "[chares][balancing]") {
  TrafficTable table;
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> expected;
  std::uint64_t state = 7;
  for (int i = 0; i < 5000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t from = (state >> 33) % 50, to = (state >> 43) % 50;
    table.add(from, to, i, 1);
    expected[{from, to}] += i;
  }
  const std::vector<Traffic> listed = table.list();
  CHECK(listed.size() == expected.size());
  for (const Traffic& each : listed) CHECK(each.bytes == expected.at({each.from, each.to}));
  CHECK(std::accumulate(listed.begin(), listed.end(), 0.0,
                        [](double sum, const Traffic& each) { return sum + each.messages; }) == 5000);
}
TEST_CASE("messages between elements are counted while their array is balanced", "[chares][balancing]") {
  run_everywhere(count);
}
TEST_CASE("messages are counted for strategies that look at them", "[chares][balancing]") {
  run_everywhere(count_for_those_who_look);
}
TEST_CASE("graph keeps those together that were seen to talk to each other", "[chares][balancing]") {
  run_everywhere(cut);
}

}  // namespace kaon::testing::load_meters
