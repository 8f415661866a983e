// SPDX-License-Identifier: Apache-2.0
// Destructors of chares that send: in the middle of a run, with their array, and when the run has ended.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::last_words {

int alive = 0;
int heard = 0;

/// An argument that counts how many of it there are.
struct Words {
  Words() { ++under_way; }
  Words(const Words&) { ++under_way; }
  Words& operator=(const Words&) = default;
  ~Words() { --under_way; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(text);
  }
  std::string text = std::string(3000, 'a');  // a few fill a batch
  static inline int under_way = 0;
};

class Speaker : public Chare<Speaker> {
 public:
  Speaker() { ++alive; }
  ~Speaker() {
    --alive;
    if (!speaks_) return;
    self().send<&Speaker::hear>(Words());
    array()[(index().x + 1) % array().shape().x].send<&Speaker::hear>(Words());
    if (others_.shape().x == 0) return;
    others_.broadcast<&Speaker::hear>(Words());
    others_[others_.shape().x - 1].send<&Speaker::hear_much>(Words(), Payload<int>(std::vector<int>(5000)));
  }

  void hear(const Words&) { ++heard; }
  void hear_much(const Words&, Payload<int>) { ++heard; }
  int agree() { return 1; }
  void speak_later(Proxy<Speaker> others) {
    speaks_ = true;
    others_ = others;
  }
  void speak_and_die() {
    speaks_ = true;
    destroy();
  }

 private:
  Proxy<Speaker> others_;
  bool speaks_ = false;
};

void reset() { alive = heard = 0; }

Task<> die_one_by_one(Runtime& runtime) {
  const auto speakers = co_await runtime.create<Speaker>(6);
  for (int i = 0; i < 6; i += 2) speakers[i].send<&Speaker::speak_and_die>();
  co_await runtime.quiescence();
  CHECK(alive == 3);
  CHECK(heard == 3);  // not by themselves
  CHECK(Words::under_way == 0);
  const int answers = co_await speakers.call_all<&Speaker::agree>(sum);
  CHECK(answers == 3);
}

Task<> die_with_the_array(Runtime& runtime) {
  const auto hearers = co_await runtime.create<Speaker>(3);
  const auto speakers = co_await runtime.create<Speaker>(6);
  co_await speakers.call_all_and_wait<&Speaker::speak_later>(hearers);
  co_await speakers.destroy_and_wait();
  co_await runtime.quiescence();
  CHECK(alive == 3);
  CHECK(heard >= 6 * (3 + 1));  // and perhaps by those of the array that went later
  CHECK(Words::under_way == 0);
}

/// The first to go speak to those that are still there, and the last to those that are gone.
Task<> end_with_all_there(Runtime& runtime) {
  const auto first = co_await runtime.create<Speaker>(5);
  const auto second = co_await runtime.create<Speaker>(5);
  co_await first.call_all_and_wait<&Speaker::speak_later>(second);
  co_await second.call_all_and_wait<&Speaker::speak_later>(first);
  CHECK(alive == 10);
}

TEST_CASE("the destructor of a chare may send when the chare destroys itself", "[chares][last_words]") {
  run_everywhere(die_one_by_one, reset);
}

TEST_CASE("the destructors of chares may send when their array is destroyed", "[chares][last_words]") {
  run_everywhere(die_with_the_array, reset);
}

TEST_CASE("what destructors send when the run has ended is dropped", "[chares][last_words]") {
  for (const Network::Shape& shape : {Network::Shape(1, 1), Network::Shape(1, 3), Network::Shape(3, 1), {2, 2}}) {
    INFO(shape.processes << " processes of " << shape.pes_per_process << " PEs");
    reset();
    Scene(shape).run(end_with_all_there);
    CHECK(alive == 0);
    CHECK(heard == 0);
    CHECK(Words::under_way == 0);
  }
}

}  // namespace kaon::testing::last_words
