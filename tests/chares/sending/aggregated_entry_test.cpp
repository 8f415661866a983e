// SPDX-License-Identifier: Apache-2.0
// Messages of entries that are aggregated: they arrive exactly once, wherever their elements are.
#include "kaon/chares/sending/aggregated_entry.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::aggregations {

std::uint64_t count_of_texts = 0, bytes_of_texts = 0;
std::vector<int> order;

struct Pair {
  std::uint32_t a;
  std::uint64_t b;
};

class Grain : public Chare<Grain> {
 public:
  Grain() = default;
  template <class Archive>
  void pup(Archive& archive) {
    archive(sum_, taken_, kept_);
  }

  void add(std::uint32_t value, Pair pair) {
    sum_ += value + pair.b;
    ++taken_;
  }
  void hop(std::uint32_t left, std::uint64_t random) {
    ++taken_;
    if (left == 0) return;
    random = random * 6364136223846793005u + 1442695040888963407u;
    const auto next = static_cast<int>(random >> 33) % array().shape().x;
    array()[next].send<&Grain::hop>(left - 1, random);
  }
  void hop_and_move(std::uint32_t left, std::uint64_t random) {
    ++taken_;
    if (left == 0) return;
    random = random * 6364136223846793005u + 1442695040888963407u;
    const auto next = static_cast<int>(random >> 33) % array().shape().x;
    array()[next].send<&Grain::hop_and_move>(left - 1, random);
    if (random >> 32 & 1) migrate_to(static_cast<PeId>(random >> 20) % this_runtime().pes());
  }
  void note(const std::string& text) {
    ++count_of_texts;
    bytes_of_texts += text.size();
  }
  void ping() { ++taken_; }
  Task<> later(int value) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(5));
    sum_ += static_cast<std::uint64_t>(value);
  }
  Inbox<int> numbers;
  Task<int> sum_up(int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += co_await numbers.next();
    co_return sum;
  }
  void fail(int) { throw std::runtime_error("no grain of mine"); }
  void write(int value) { order.push_back(value); }
  void write_or_go(int value) {
    order.push_back(value);
    if (value == 3) destroy();
  }
  void send_to(int to, int count) {
    for (int i = 0; i < count; ++i) array()[to].send<&Grain::add>(1, Pair{0, 1});
  }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t taken() const { return taken_; }

  using aggregated = Entries<&Grain::add, &Grain::hop, &Grain::hop_and_move, &Grain::note, &Grain::ping, &Grain::later,
                             &Grain::numbers, &Grain::fail, &Grain::write, &Grain::write_or_go>;

 private:
  std::uint64_t sum_ = 0, taken_ = 0;
  std::vector<int> kept_;
};

void reset() {
  count_of_texts = bytes_of_texts = 0;
  order.clear();
}

Task<> send_to_all(Runtime& runtime) {
  constexpr int kCount = 23, kEach = 700;
  const auto grains = co_await runtime.create<Grain>(kCount);
  for (int i = 0; i < kEach; ++i)
    for (int x = 0; x < kCount; ++x)
      grains[x].send<&Grain::add>(static_cast<std::uint32_t>(x), Pair{7, static_cast<std::uint64_t>(i)});
  co_await runtime.quiescence();
  for (int x = 0; x < kCount; ++x) {
    const std::uint64_t sum = co_await grains[x].call<&Grain::sum>();
    const std::uint64_t taken = co_await grains[x].call<&Grain::taken>();
    CHECK(sum == static_cast<std::uint64_t>(x) * kEach + kEach * (kEach - 1) / 2);
    CHECK(taken == kEach);
  }
}

template <auto Hop>
Task<> walk(Runtime& runtime) {
  constexpr int kCount = 31, kTokens = 40;
  constexpr std::uint32_t kHops = 25;
  const auto grains = co_await runtime.create<Grain>(kCount);
  for (int token = 0; token < kTokens; ++token)
    grains[token % kCount].template send<Hop>(kHops, static_cast<std::uint64_t>(token) * 977);
  co_await runtime.quiescence();
  const std::uint64_t taken = co_await grains.template call_all<&Grain::taken>(sum);
  CHECK(taken == kTokens * (kHops + 1));
}

Task<> send_texts(Runtime& runtime) {
  const auto grains = co_await runtime.create<Grain>(9);
  std::uint64_t bytes = 0, count = 0;
  for (const std::size_t size : {0u, 1u, 100u, 3000u, 7800u, 7871u, 7872u, 7873u, 8192u, 100000u})
    for (int x = 0; x < 9; ++x, ++count, bytes += size) grains[x].send<&Grain::note>(std::string(size, 'x'));
  co_await runtime.quiescence();
  CHECK(count_of_texts == count);
  CHECK(bytes_of_texts == bytes);
}

Task<> start_others(Runtime& runtime) {
  const auto grains = co_await runtime.create<Grain>(8);
  for (int i = 0; i < 8; ++i) {
    grains[i].send<&Grain::later>(i + 1);
    for (int k = 1; k <= 5; ++k) grains[i].send<&Grain::numbers>(k);
    grains[i].send<&Grain::ping>();
  }
  co_await runtime.quiescence();
  const std::uint64_t all = co_await grains.call_all<&Grain::sum>(sum);
  CHECK(all == 36);
  const int numbers = co_await grains.call_all<&Grain::sum_up>(sum, 5);
  CHECK(numbers == 8 * 15);
  const std::uint64_t taken = co_await grains.call_all<&Grain::taken>(sum);
  CHECK(taken == 8);
}

TEST_CASE("aggregated messages arrive exactly once", "[aggregation]") { run_everywhere(&send_to_all, &reset); }
TEST_CASE("aggregated messages that cause others end in quiescence", "[aggregation]") {
  run_everywhere(&walk<&Grain::hop>, &reset);
}
TEST_CASE("aggregated messages find elements that move at each second message", "[aggregation]") {
  run_everywhere(&walk<&Grain::hop_and_move>, &reset);
}
TEST_CASE("aggregated messages may have any size", "[aggregation]") { run_everywhere(&send_texts, &reset); }
TEST_CASE("coroutines and inboxes get aggregated messages", "[aggregation]") { run_everywhere(&start_others, &reset); }

TEST_CASE("a message with a priority is not held for company", "[aggregation]") {
  reset();
  Scene scene({2, 1});
  scene.run([](Runtime& runtime) -> Task<> {
    const auto grains = co_await runtime.create<Grain>(2);
    grains[1].send<&Grain::write>(1);
    grains[1].with_priority(-1).send<&Grain::write>(2);
    co_await runtime.quiescence();
  });
  CHECK(order == std::vector{2, 1});
}

TEST_CASE("an element that ends takes no further aggregated message", "[aggregation]") {
  reset();
  Scene scene({2, 1});
  scene.run([](Runtime& runtime) -> Task<> {
    const auto grains = co_await runtime.create<Grain>(2);
    for (int i = 0; i < 10; ++i) grains[1].send<&Grain::write_or_go>(i);
    co_await runtime.quiescence();
  });
  CHECK(order == std::vector{0, 1, 2, 3});
}

TEST_CASE("what an aggregated message's entry throws ends the run and is told of its element", "[aggregation]") {
  Scene scene({2, 1});
  CHECK(thrown<std::runtime_error>([&] {
          scene.run([](Runtime& runtime) -> Task<> {
            const auto grains = co_await runtime.create<Grain>(2);
            grains[1].send<&Grain::ping>();
            grains[1].send<&Grain::fail>(1);
            co_await runtime.quiescence();
          });
        }) == "no grain of mine");
  const std::string place = describe_running(scene.network().pe(1));
  CHECK(has(place, "Grain::fail"));
  CHECK(has(place, "element (1, 0, 0)"));
}

TEST_CASE("aggregated messages wait for sparse elements, and go where these are made", "[aggregation]") {
  reset();
  Scene scene({2, 2});
  scene.run([](Runtime& runtime) -> Task<> {
    const auto grains = co_await runtime.create_sparse<Grain>();
    for (int i = 0; i < 50; ++i)
      for (int x = 0; x < 6; ++x) grains[x].send<&Grain::add>(1u, Pair{0, 0});
    co_await runtime.sleep_for(std::chrono::milliseconds(1));
    for (int x = 0; x < 6; ++x) grains[x].insert_on(static_cast<PeId>(x) % runtime.pes());
    for (int i = 0; i < 50; ++i)
      for (int x = 0; x < 6; ++x) grains[x].send<&Grain::add>(1u, Pair{0, 0});
    co_await runtime.quiescence();
    for (int x = 0; x < 6; ++x) {
      const std::uint64_t taken = co_await grains[x].call<&Grain::taken>();
      CHECK(taken == 100);
    }
  });
}

TEST_CASE("aggregated messages to an array that is destroyed are dropped, and quiescence comes", "[aggregation]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Scene scene({2, 2}, default_options(), seed);
    scene.run([](Runtime& runtime) -> Task<> {
      const auto grains = co_await runtime.create<Grain>(8);
      for (int i = 0; i < 40; ++i) grains[i % 8].send<&Grain::hop>(20u, static_cast<std::uint64_t>(i));
      co_await runtime.sleep_for(std::chrono::microseconds(20));
      co_await grains.destroy_and_wait();
      co_await runtime.quiescence();
    });
  }
}

TEST_CASE("an entry that goes on for long gets what waits behind it in a parcel bit by bit", "[aggregation]") {
  reset();
  Scene scene({1, 2});
  scene.run([](Runtime& runtime) -> Task<> {
    const auto grains = co_await runtime.create<Grain>(2);
    for (int i = 0; i < 400; ++i) grains[1].send<&Grain::write>(i);
    co_await runtime.quiescence();
  });
  CHECK(order.size() == 400);
}

}  // namespace kaon::testing::aggregations
