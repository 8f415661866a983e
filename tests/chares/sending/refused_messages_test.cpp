// SPDX-License-Identifier: Apache-2.0
// Messages that cannot be sent though they can be packed: there is no room for them, or the array has gone. Nobody
// waits for them.
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::refused_messages {

int alive = 0;  // of Counted

struct Counted {
  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
  template <class Archive>
  void pup(Archive&) {}
};

class Till : public Chare<Till> {
 public:
  Till() = default;
  explicit Till(const std::vector<char>&) {}
  void put(const std::vector<char>&) { ++count_; }
  int put_counted(const Counted&) { return ++count_; }
  int count() { return count_; }
  Task<int> agree() { co_return co_await contribute(sum, 1); }

  using ordered = Entries<&Till::put, &Till::put_counted, &Till::count>;

 private:
  int count_ = 0;
};

class Caller : public Chare<Caller> {
 public:
  Task<> call_when_it_has_gone(Proxy<Till> tills) {
    auto call = tills[0].call<&Till::put_counted>(Counted());
    co_await tills.destroy_and_wait();
    CHECK_THROWS_AS(co_await call, UsageError);
  }
};

Options with_little_room() {
  Options options = default_options();
  options.queue_limit_mib = 1;
  options.credits = 2;
  return options;
}

/// Sends until so many were lost; those that were not are all that come.
Task<> fill_the_queue(Runtime& runtime, int losses) {
  const auto tills = co_await runtime.create<Till>(static_cast<int>(runtime.pes()));
  const Element<Till> last = tills[static_cast<int>(runtime.pes()) - 1];
  int sent = 0;
  for (int lost = 0; lost < losses;) {
    try {
      last.send<&Till::put>(std::vector<char>(100'000));
      ++sent;
    } catch (const OutOfMemory&) {
      ++lost;
    }
    if (lost % 10 == 9) co_await runtime.sleep_for(std::chrono::nanoseconds(0));
  }
  co_await last.ready();
  const int count = co_await last.call<&Till::count>();
  CHECK(count == sent);
}
Task<> lose_one(Runtime& runtime) { return fill_the_queue(runtime, 1); }
/// More than the PE sends on before it asks where the element is.
Task<> lose_many(Runtime& runtime) { return fill_the_queue(runtime, 100); }

TEST_CASE("an ordered message for which there is no room has no turn", "[order][bad input]") {
  for (const Network::Shape& shape : {Network::Shape{2, 1}, Network::Shape{1, 2}})
    Scene(shape, with_little_room()).run(lose_one);
}

TEST_CASE("many ordered messages may be lost", "[order][bad input]") {
  for (const Network::Shape& shape : {Network::Shape{2, 1}, Network::Shape{1, 2}})
    Scene(shape, with_little_room()).run(lose_many);
}

/// Leaves no room for its result.
class Flooder : public Chare<Flooder> {
 public:
  Task<int> flood(Element<Till> till) {
    for (;;) {
      try {
        till.send<&Till::put>(std::vector<char>(100'000));
      } catch (const OutOfMemory&) {
        co_return 1;
      }
    }
  }
};

Task<> await_a_result_without_room(Runtime& runtime) {
  const auto tills = co_await runtime.create<Till>(static_cast<int>(runtime.pes()));
  const auto flooders = co_await runtime.create<Flooder>(static_cast<int>(runtime.pes()));
  co_await flooders[static_cast<int>(runtime.pes()) - 1].call<&Flooder::flood>(tills[0]);
}

TEST_CASE("a result for which there is no room ends the run", "[call][bad input]") {
  Scene scene({2, 1}, with_little_room());
  CHECK_THROWS_AS(scene.run(await_a_result_without_room), OutOfMemory);
}

TEST_CASE("what is called of an array that has gone is freed", "[order][bad input]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto tills = co_await runtime.create<Till>(2);
    const auto callers = co_await runtime.create<Caller>(2);
    co_await callers[0].call<&Caller::call_when_it_has_gone>(tills);
  });
  CHECK(alive == 0);
}

Task<int> insert_until_there_is_room(Proxy<Till> tills, int index) {
  try {
    co_await tills[index].insert_on_and_wait(1, std::vector<char>(100'000));
    co_return 0;
  } catch (const OutOfMemory&) {
  }
  co_await tills[index].ready();
  co_await tills[index].insert_on_and_wait(1, std::vector<char>(10));
  co_return 1;
}

Task<> insert_more_than_there_is_room_for(Runtime& runtime) {
  constexpr int kInsertions = 100;
  const auto tills = co_await runtime.create_sparse<Till>();
  std::vector<Task<int>> insertions;
  for (int i = 0; i < kInsertions; ++i) insertions.push_back(insert_until_there_is_room(tills, i));
  int again = 0;
  for (const int each : co_await all(std::move(insertions))) again += each;
  CHECK(again > 0);
  const int members = co_await tills.call_all<&Till::agree>(max);
  CHECK(members == kInsertions);
}

TEST_CASE("what is called in order of an array that has gone is freed, also for who is no element",
          "[order][bad input]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto tills = co_await runtime.create<Till>(static_cast<int>(runtime.pes()));
    auto call = tills[0].call<&Till::put_counted>(Counted());
    co_await tills.destroy_and_wait();
    CHECK_THROWS_AS(co_await call, UsageError);
  });
  CHECK(alive == 0);
}

TEST_CASE("an insertion for which there is no room comes to nothing, and may be repeated", "[sparse][bad input]") {
  Scene({2, 1}, with_little_room()).run(insert_more_than_there_is_room_for);
}

TEST_CASE("an insertion that nobody awaits is none", "[sparse]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto tills = co_await runtime.create_sparse<Till>();
    for (int i = 0; i < 4; ++i) co_await tills[i].insert_and_wait();
    { const auto forgotten = tills[9].insert_and_wait(); }
    const int members = co_await tills.call_all<&Till::agree>(max);
    CHECK(members == 4);
  });
}

}  // namespace kaon::testing::refused_messages
