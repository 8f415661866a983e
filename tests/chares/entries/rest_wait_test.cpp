// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/entries/rest_wait.hpp"

#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::rests {

int alive = 0, frames = 0, read = 0;

struct Frame {  // dies with the coroutine's frame
  Frame() { ++frames; }
  ~Frame() { --frames; }
};

class Pilgrim : public Chare<Pilgrim> {
 public:
  Inbox<int> letters;

  Pilgrim() { ++alive; }
  explicit Pilgrim(int stages) : stages_(stages) { ++alive; }
  ~Pilgrim() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(letters, stages_, stage_, starts_, sum_);
  }

  Task<int> walk() {
    const Frame frame;
    ++starts_;
    for (; stage_ < stages_;) {
      sum_ += co_await letters.next();
      ++stage_;
      if (stage_ % 2 == 1) migrate_to((pe() + 1) % this_runtime().pes());
      co_await at_rest<&Pilgrim::walk>();
    }
    co_return starts_;
  }
  Task<std::string> tell(std::string start) {
    migrate_to((pe() + 1) % this_runtime().pes());
    co_await at_rest<&Pilgrim::tell_end>(start + " and", 7);
    co_return start + " alone";
  }
  Task<std::string> tell_end(std::string start, int number) { co_return start + " end " + std::to_string(number); }
  Task<> walk_and_fail() {
    migrate_to((pe() + 1) % this_runtime().pes());
    co_await at_rest<&Pilgrim::fail>();
    fail();
  }
  void fail() { throw UsageError("the way ended on PE " + std::to_string(pe())); }
  Task<int> with_other_result() {
    migrate_to((pe() + 1) % this_runtime().pes());
    co_await at_rest<&Pilgrim::fail>();
    co_return 1;
  }
  Task<> beside_others() { co_await all(at_rest<&Pilgrim::fail>(), this_runtime().sleep_for(std::chrono::seconds(0))); }
  Task<> read_one() {
    const int letter = co_await letters.next();
    read = letter;
  }
  PeId where() const { return pe(); }
  int starts() const { return starts_; }

 private:
  int stages_ = 0, stage_ = 0, starts_ = 0, sum_ = 0;
};

void reset() {
  CHECK(alive == 0);
  CHECK(frames == 0);
  read = 0;
}

Task<> walk_on(Runtime& runtime) {
  constexpr int kCount = 5, kStages = 6;
  const auto pilgrims = co_await runtime.create<Pilgrim>(kCount, kStages);
  for (int i = 0; i < kCount; ++i)
    for (int stage = 0; stage < kStages; ++stage) pilgrims[i].send<&Pilgrim::letters>(stage);
  const int moves = runtime.pes() > 1 ? kStages / 2 : 0;
  for (int i = 0; i < kCount; ++i) {
    const int starts = co_await pilgrims[i].call<&Pilgrim::walk>();
    CHECK(starts == 1 + moves);
  }
  CHECK(alive == kCount);
  CHECK(frames == 0);
}

Task<> tell_arguments(Runtime& runtime) {
  const auto pilgrims = co_await runtime.create<Pilgrim>(1, 0);
  const std::string told = co_await pilgrims[0].call<&Pilgrim::tell>("begin");
  CHECK(told == (runtime.pes() > 1 ? "begin and end 7" : "begin alone"));
}

Task<> fail_elsewhere(Runtime& runtime) {
  const auto pilgrims = co_await runtime.create<Pilgrim>(1, 0);
  const PeId first = co_await pilgrims[0].call<&Pilgrim::where>();
  std::string said;
  try {
    co_await pilgrims.call_all_and_wait<&Pilgrim::walk_and_fail>();
  } catch (const UsageError& error) {
    said = error.what();
  }
  CHECK(has(said, "the way ended on PE " + std::to_string((first + 1) % runtime.pes())));
}

/// Another entry of it is suspended when it comes to the point of rest, which waits for that.
Task<> wait_for_another(Runtime& runtime) {
  const auto pilgrims = co_await runtime.create<Pilgrim>(1, 1);
  const PeId first = co_await pilgrims[0].call<&Pilgrim::where>();
  pilgrims[0].send<&Pilgrim::walk>();
  co_await runtime.quiescence();
  pilgrims[0].send<&Pilgrim::read_one>();
  co_await runtime.quiescence();
  pilgrims[0].send<&Pilgrim::letters>(1);  // for the one that walks
  co_await runtime.quiescence();
  const PeId before = co_await pilgrims[0].call<&Pilgrim::where>();
  CHECK(before == first);
  CHECK(read == 0);
  pilgrims[0].send<&Pilgrim::letters>(2);
  co_await runtime.quiescence();
  CHECK(read == 2);
  const PeId after = co_await pilgrims[0].call<&Pilgrim::where>();
  CHECK(after == (first + 1) % runtime.pes());
  const int starts = co_await pilgrims[0].call<&Pilgrim::starts>();
  CHECK(starts == (runtime.pes() > 1 ? 2 : 1));
  CHECK(frames == 0);
}

/// Two of its entries come to points of rest, of which one is to move it: each would wait for the other.
Task<> rest_twice(Runtime& runtime) {
  const auto pilgrims = co_await runtime.create<Pilgrim>(1, 1);
  for (int i = 0; i < 2; ++i) pilgrims[0].send<&Pilgrim::walk>();
  co_await runtime.quiescence();
  for (int i = 0; i < 2; ++i) pilgrims[0].send<&Pilgrim::letters>(i);
  co_await runtime.quiescence();
}

template <auto E>
std::string refused() {
  return thrown<UsageError>([] {
    Scene({2, 1}).run([](Runtime& runtime) -> Task<> {
      const auto pilgrims = co_await runtime.create<Pilgrim>(1, 0);
      co_await pilgrims[0].template call<E>();
    });
  });
}

TEST_CASE("a coroutine ends at a point of rest and another goes on elsewhere", "[chares][rest]") {
  run_everywhere(walk_on, reset);
}
TEST_CASE("the entry that goes on gets arguments and answers in place of the first", "[chares][rest]") {
  run_everywhere(tell_arguments, reset);
}
TEST_CASE("an exception of the entry that goes on comes to who awaits the first", "[chares][rest]") {
  run_everywhere(fail_elsewhere, reset);
}
TEST_CASE("a chare at a point of rest waits for its other entries", "[chares][rest]") {
  run_everywhere(wait_for_another, reset);
}
TEST_CASE("an entry with another result cannot go on in the place of one that is awaited", "[chares][rest]") {
  CHECK(has(refused<&Pilgrim::with_other_result>(), "another type of result"));
}
TEST_CASE("two entries of one chare cannot wait at points of rest at once", "[chares][rest]") {
  const std::string text = thrown<UsageError>([] {
    reset();
    Scene({2, 1}).run(rest_twice);
  });
  CHECK(has(text, "at_rest() was awaited by two entries"));
  CHECK(has(text, "let one of them rest at a time"));
}
TEST_CASE("at_rest() is awaited alone", "[chares][rest]") {
  CHECK(has(refused<&Pilgrim::beside_others>(), "await it alone"));
}

}  // namespace kaon::testing::rests
