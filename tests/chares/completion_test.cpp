// SPDX-License-Identifier: Apache-2.0
// Completion: the end of one group of messages while others go on.
#include "kaon/chares/completion.hpp"

#include <random>
#include <string>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::completions {

// One thread runs all PEs.
int produced = 0, consumed = 0, told = 0;
bool is_stopped = false;
void forget() {
  produced = consumed = told = 0;
  is_stopped = false;
}
void note_end() {
  CHECK(consumed == produced);
  ++told;
}

class Busy : public Chare<Busy> {
 public:
  void produce(const Completion& group, unsigned seed) {
    std::minstd_rand random(seed);
    const int count = static_cast<int>(random() % 20);
    for (int i = 0; i < count; ++i) {
      group.produce();
      ++produced;
      const auto to = array()[static_cast<int>(random() % static_cast<unsigned>(array().shape().x))];
      to.send<&Busy::take>(group, static_cast<int>(random() % 4));
    }
    group.done();
  }
  Task<> take(Completion group, int how) {
    if (how == 0) co_await this_runtime().sleep_for(std::chrono::microseconds(30));
    if (how == 1) migrate_to((pe() + 1) % this_runtime().pes());
    ++consumed;
    group.consume();
  }
  /// Goes on for ever.
  void bounce() {
    if (!is_stopped) array()[(index().x + 1) % array().shape().x].send<&Busy::bounce>();
  }
  Task<> wait_for(Completion group) {
    co_await group.finished();
    note_end();
  }
  template <class Archive>
  void pup(Archive&) {}
};

Task<> finish_among_others(Runtime& runtime) {
  const auto busy = co_await runtime.create<Busy>(10);
  busy[3].send<&Busy::bounce>();
  for (int round = 0; round < 3; ++round) {
    const Completion group = co_await Completion::start(runtime, 10);
    busy[9].send<&Busy::wait_for>(group);
    group.when_finished(callback<&note_end>(runtime.pes() - 1));
    for (int i = 0; i < 10; ++i) busy[i].send<&Busy::produce>(group, static_cast<unsigned>(17 * round + i + 1));
    co_await group.finished();
    CHECK(produced > 0);
    CHECK(consumed == produced);
    co_await group.finished();  // it stays so
    while (told < 2 * (round + 1)) co_await runtime.sleep_for(std::chrono::microseconds(1));
    group.destroy();
  }
  is_stopped = true;
  co_await runtime.quiescence();
}

Task<> finish_late(Runtime& runtime) {
  const Completion group = co_await Completion::start(runtime, 2);
  group.when_finished(callback<&note_end>(0));
  group.produce(3);
  group.consume(2);
  group.done();
  co_await runtime.quiescence();
  CHECK(told == 0);  // a producer is left
  group.done();
  co_await runtime.quiescence();
  CHECK(told == 0);  // a message is left
  group.consume();
  co_await runtime.quiescence();
  CHECK(told == 1);
}

Task<> finish_without_messages(Runtime& runtime) {
  const Completion group = co_await Completion::start(runtime, 3);
  group.done(3);
  co_await group.finished();
}

Task<> no_producers(Runtime& runtime) { (void)co_await Completion::start(runtime, 0); }
Task<> too_many_done(Runtime& runtime) {
  const Completion group = co_await Completion::start(runtime, 1);
  group.done(2);
  co_await group.finished();
}
template <int kConsumed>
Task<> too_much_consumed(Runtime& runtime) {
  const Completion group = co_await Completion::start(runtime, 1);
  group.produce();
  group.consume(kConsumed);
  group.done();
  co_await group.finished();
}
Task<> late_producer(Runtime& runtime) {
  const Completion group = co_await Completion::start(runtime, 1);
  group.done();
  co_await group.finished();
  group.produce();
}

TEST_CASE("completion is told when a group of messages is dealt with, while others go on", "[chares][completion]") {
  run_everywhere(finish_among_others, forget);
}
TEST_CASE("completion waits for the last producer and the last message", "[chares][completion]") {
  run_everywhere(finish_late, forget);
}
TEST_CASE("a group without messages is complete when its producers are done", "[chares][completion]") {
  run_everywhere(finish_without_messages);
}
TEST_CASE("counts that cannot be are errors", "[chares][completion]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{2, 2}}) {
    const auto text = [&](Task<> (*task)(Runtime&)) {
      return thrown<kaon::UsageError>([&] { Scene(shape).run(task); });
    };
    CHECK(has(text(no_producers), "somebody must produce"));
    CHECK(has(text(too_many_done), "for 2 producers where 1 were named"));
    CHECK(has(text(too_much_consumed<2>), "1 more message was consumed than produced"));
    CHECK(has(text(too_much_consumed<3>), "2 more messages were consumed than produced"));
    CHECK(has(text(late_producer), "after all producers had called done()"));
  }
}

}  // namespace kaon::testing::completions
