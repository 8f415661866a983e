// SPDX-License-Identifier: Apache-2.0
// flush(): what was sent is on its way while the entry that sent it goes on.
#include "kaon/chares/runtime.hpp"

#include <algorithm>
#include <cstddef>

#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::runtimes {

Network* network = nullptr;
int taken = 0;

class Sender : public Chare<Sender> {
 public:
  void take(int value) { taken += value; }
  /// To PE 1, of another process.
  void send_far() {
    const std::size_t before = batches_under_way();
    for (int i = 0; i < 3; ++i) array()[1].send<&Sender::take>(1);
    CHECK(batches_under_way() == before);
    this_runtime().flush();
    CHECK(batches_under_way() == before + 1);
    this_runtime().flush();  // there is nothing more
    CHECK(batches_under_way() == before + 1);
    array()[1].send<&Sender::take>(10);
    CHECK(batches_under_way() == before + 1);
  }
  /// To PE 1, of the same process, which takes a turn in between.
  void send_near() {
    for (int i = 0; i < 3; ++i) array()[1].send<&Sender::take>(1);
    network->run(1);
    CHECK(taken == 0);
    this_runtime().flush();
    network->run(1);
    CHECK(taken == 3);
  }
  /// To both, on PE 1 of the same process while this still runs.
  void send_all() {
    array().broadcast<&Sender::take>(1);
    this_runtime().flush();
    network->run(1);
    CHECK(taken == 1);
  }
  /// The same, with an answer of both.
  Task<> ask_all() {
    array()[0].send<&Sender::look_at_the_other>();
    co_await array().call_all_and_wait<&Sender::take>(1);
    CHECK(taken == 2);
  }
  void look_at_the_other() {
    this_runtime().flush();
    network->run(1);
    CHECK(taken == 1);
  }

 private:
  static std::size_t batches_under_way() {
    const auto& pending = network->wire().pending();
    return static_cast<std::size_t>(std::count_if(pending.begin(), pending.end(), [](const auto& parcel) {
      return parcel.from == 0 && parcel.to == 1 && parcel.kind == LoopbackNetwork::Kind::data;
    }));
  }
};

Proxy<Sender> senders;

/// What two PEs, each with one of the array, have taken when the first one's entry has run and nothing is under way.
template <auto E>
int taken_by(const Network::Shape& shape) {
  Scene scene(shape);
  taken = 0;
  network = &scene.network();
  scene.run([](Runtime& runtime) -> Task<> { senders = co_await runtime.create<Sender>(2); });
  network->run_until_idle();
  network->on(0, [](Pe&) { senders[0].send<E>(); });
  network->run_until_idle();
  return taken;
}

TEST_CASE("flush() lets what goes to other processes leave at once, and nothing else does", "[chares][runtime]") {
  CHECK(taken_by<&Sender::send_far>({2, 1}) == 13);
}

TEST_CASE("flush() lets what goes to other PEs of the process leave at once", "[chares][runtime]") {
  CHECK(taken_by<&Sender::send_near>({1, 2}) == 3);
}

TEST_CASE("a broadcast is under way while the entry that made it goes on", "[chares][runtime][broadcast]") {
  CHECK(taken_by<&Sender::send_all>({1, 2}) == 2);
}

TEST_CASE("a call of all does not stand behind what its own PE has to run", "[chares][runtime][broadcast]") {
  CHECK(taken_by<&Sender::ask_all>({1, 2}) == 2);
}

}  // namespace kaon::testing::runtimes
