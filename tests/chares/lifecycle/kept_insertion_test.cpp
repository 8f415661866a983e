// SPDX-License-Identifier: Apache-2.0
// An index whose element is to go, but is kept by a payload that lands in its memory, is inserted again.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::kept_insertions {

int taken = 0;

class Keeper : public Chare<Keeper, std::int64_t> {
 public:
  Inbox<int> never;
  Keeper() = default;
  explicit Keeper(int generation) : generation_(generation) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(generation_, never);
  }
  void take(const Payload<int>& data) { taken += data.view().back(); }
  Landing post(PostFor<&Keeper::take>, const Payload<int>&) { return Landing::into(std::span(memory_)); }
  void end() { destroy(); }
  void go(PeId to) { migrate_to(to); }
  int generation() const { return generation_; }
  Task<> wait() { co_await never.next(); }

 private:
  int generation_ = 0;
  std::vector<int> memory_ = std::vector<int>(4000);
};

using Step = void (*)(const Proxy<Keeper>& keepers);

void insert_again(const Proxy<Keeper>& keepers) { keepers[5].insert_on(0, 1); }

/// Element 5 is on PE 1 when a payload is on its way into it, and then each step is taken while nothing of the payload
/// comes. Ends when all has come.
void play(Scene& scene, Proxy<Keeper>& keepers, const std::vector<Step>& steps) {
  taken = 0;
  scene.run([&](Runtime& runtime) -> Task<> {
    keepers = co_await runtime.create_sparse<Keeper>();
    co_await keepers[5].insert_on_and_wait(1, 0);
  });
  scene.network().wire().hold([](const auto& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  for (const Step step : steps) {
    scene.start([&, step](Runtime&) -> Task<> {
      step(keepers);
      co_return;
    });
    scene.network().run_until_idle();
  }
  CHECK(taken == 0);
  scene.network().wire().hold({});
  scene.network().run_until_idle();
}

void send_payload(const Proxy<Keeper>& keepers) {
  keepers[5].send<&Keeper::take>(Payload<int>(std::vector<int>(4000, 1)));
}
void end(const Proxy<Keeper>& keepers) { keepers[5].send<&Keeper::end>(); }
void wait(const Proxy<Keeper>& keepers) { keepers[5].send<&Keeper::wait>(); }
void go(const Proxy<Keeper>& keepers) { keepers[5].send<&Keeper::go>(0u); }

TEST_CASE("an insertion waits for an element that ends when a payload has landed in it", "[chares][sparse][kept]") {
  Proxy<Keeper> keepers;
  Scene scene({2, 1});
  play(scene, keepers, {send_payload, end, insert_again});
  CHECK(taken == 1);
  scene.run([&](Runtime&) -> Task<> {
    const int generation = co_await keepers[5].call<&Keeper::generation>();
    CHECK(generation == 1);
  });
}

TEST_CASE("an insertion of an element that moves when a payload has landed in it is an error",
          "[chares][sparse][kept]") {
  const std::string text = thrown<UsageError>([] {
    Proxy<Keeper> keepers;
    Scene scene({2, 1});
    play(scene, keepers, {send_payload, go, insert_again});
  });
  CHECK(has(text, "exists already"));
  CHECK(taken == 1);
}
/// Before the payload has come, and though the element cannot move yet.
TEST_CASE("an insertion of an element that is not about to end or to move is an error at once",
          "[chares][sparse][kept]") {
  for (const auto& steps : {std::vector<Step>{send_payload, insert_again}, {wait, go, insert_again}}) {
    const std::string text = thrown<UsageError>([&steps] {
      Proxy<Keeper> keepers;
      Scene scene({2, 1});
      play(scene, keepers, steps);
    });
    CHECK(has(text, "exists already"));
  }
}

}  // namespace kaon::testing::kept_insertions
