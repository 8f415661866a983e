// SPDX-License-Identifier: Apache-2.0
// One landing for several messages, and rules that cannot place what came.
#include <string>
#include <utility>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::shared_landings {

constexpr std::size_t kSize = 4000;  // travels apart; kSmall inside its message
constexpr std::size_t kSmall = 10;
int taken = 0;

struct Pair {
  int key = 0;
  Payload<int> first, second;
};

class Taker : public Chare<Taker> {
 public:
  void take(int, Payload<int>) { ++taken; }
  /// The payload `number` lands `number` elements from the beginning.
  Landing post(PostFor<&Taker::take>, int number, const Payload<int>&) {
    return Landing::into(std::span(memory_).subspan(static_cast<std::size_t>(number)));
  }
  /// Is suspended until go() with its landing in use.
  Task<> look(int value, Payload<int> data) {
    co_await gates.next();
    right += data.view()[0] == value && data.view().back() == value;
  }
  Landing post(PostFor<&Taker::look>, int, const Payload<int>&) {
    return is_pooled ? Landing::pooled() : Landing::into(std::span(memory_));
  }
  static inline bool is_pooled = false;
  Inbox<int> gates;
  Inbox<Payload<int>> kept{[this](const Payload<int>&) { return Landing::into(std::span(memory_)); }};
  static inline int right = 0;
  Inbox<Pair, &Pair::key> pairs{[this](const Pair&) { return Landing::into(std::span(memory_)); }};

 private:
  std::vector<int> memory_ = std::vector<int>(3 * kSize);
};

template <std::size_t kCount, int kDistance>
Task<> send_two(Runtime& runtime) {
  const Proxy<Taker> takers = co_await runtime.create<Taker>(2);
  for (const int number : {0, kDistance}) takers[1].send<&Taker::take>(number, Payload<int>(std::vector<int>(kCount)));
  co_await runtime.quiescence();
}

Payload<int> all(int value) { return Payload<int>(std::vector<int>(kSize, value)); }

Task<> look_at_once(Runtime& runtime) {
  const Proxy<Taker> takers = co_await runtime.create<Taker>(2);
  for (const int value : {1, 2}) takers[1].send<&Taker::look>(value, all(value));
  co_await runtime.quiescence();
}

Task<> look_one_by_one(Runtime& runtime) {
  const Proxy<Taker> takers = co_await runtime.create<Taker>(2);
  for (const int value : {1, 2, 3}) {
    takers[1].send<&Taker::look>(value, all(value));
    takers[1].send<&Taker::gates>(0);
    co_await runtime.quiescence();
  }
}

Task<> keep_two(Runtime& runtime) {
  const Proxy<Taker> takers = co_await runtime.create<Taker>(2);
  for (const int value : {1, 2}) takers[1].send<&Taker::kept>(all(value));
  co_await runtime.quiescence();
}

template <std::size_t kCount, int kDistance>
std::string refusal(Network::Shape shape) {
  return thrown<UsageError>([shape] {
    taken = 0;
    Scene scene(shape);
    scene.run(send_two<kCount, kDistance>);
  });
}

Task<> send_one_by_one(Runtime& runtime) {
  const Proxy<Taker> takers = co_await runtime.create<Taker>(2);
  for (int time = 0; time < 5; ++time) co_await takers[1].call<&Taker::take>(0, Payload<int>(std::vector<int>(kSize)));
}

Task<> send_pair(Runtime& runtime) {
  const Proxy<Taker> takers = co_await runtime.create<Taker>(2);
  takers[1].send<&Taker::pairs>(Pair{1, Payload<int>(std::vector<int>(kSize)), Payload<int>(std::vector<int>(kSize))});
  co_await runtime.quiescence();
}

}  // namespace kaon::testing::shared_landings

using namespace kaon::testing;
namespace shared = kaon::testing::shared_landings;

TEST_CASE("messages that are under way together cannot have one landing", "[chares][post_rule]") {
  constexpr int kSize = shared::kSize, kSmall = shared::kSmall;
  CHECK(has(shared::refusal<shared::kSize, 0>({2, 1}), "the same landing to two payloads of 16000 bytes"));
  CHECK(has(shared::refusal<shared::kSize, kSize - 1>({2, 1}), "the same landing"));
  CHECK(has(shared::refusal<shared::kSmall, 0>({2, 1}), "the same landing"));
  CHECK(shared::refusal<shared::kSize, kSize>({2, 1}).empty());
  CHECK(shared::refusal<shared::kSmall, kSmall>({2, 1}).empty());
  CHECK(shared::taken == 2);
}

TEST_CASE("a landing may be given again when the entry before has run", "[chares][post_rule]") {
  shared::taken = 0;
  Scene({2, 1}).run(shared::send_one_by_one);
  CHECK(shared::taken == 5);
  CHECK(shared::refusal<shared::kSize, 0>({1, 2}).empty());  // one entry after the other
  CHECK(shared::taken == 2);
}

TEST_CASE("an entry that is suspended keeps its landing, wherever its message came from", "[chares][post_rule]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{1, 2}, Network::Shape{2, 1}}) {
    CHECK(has(thrown<UsageError>([shape] { Scene(shape).run(shared::look_at_once); }), "the same landing"));
    shared::Taker::right = 0;
    Scene(shape).run(shared::look_one_by_one);
    CHECK(shared::Taker::right == 3);
  }
}

TEST_CASE("an entry that is suspended holds nothing that is pooled", "[chares][post_rule]") {
  shared::Taker::is_pooled = true;
  shared::Taker::right = 0;
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{1, 2}, Network::Shape{2, 1}})
    Scene(shape).run(shared::look_one_by_one);
  CHECK(shared::Taker::right == 9);
  shared::Taker::is_pooled = false;
}

TEST_CASE("a message in an inbox keeps its landing, wherever it came from", "[chares][post_rule]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{1, 2}, Network::Shape{2, 1}})
    CHECK(has(thrown<UsageError>([shape] { Scene(shape).run(shared::keep_two); }), "the same landing"));
}

TEST_CASE("the error of a post rule names its entry", "[chares][post_rule]") {
  Scene scene({2, 1});
  CHECK_FALSE(thrown<UsageError>([&] { scene.run(shared::send_two<shared::kSize, 0>); }).empty());
  CHECK(has(describe_running(scene.network().pe(1)), "Taker::take"));
}

TEST_CASE("the rule of an inbox places one payload", "[chares][post_rule]") {
  CHECK(has(thrown<UsageError>([] {
              Scene({2, 1}).run(shared::send_pair);
            }),
            "places one payload, and a message has 2"));
}
