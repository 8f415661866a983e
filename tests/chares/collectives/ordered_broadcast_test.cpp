// SPDX-License-Identifier: Apache-2.0
// Broadcasts of ordered entries: those of one sender run in order in each element, whoever moves.
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kaon/chares/sending/broadcast_turns.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::ordered_broadcasts {

int wrong = 0, backwards = 0, taken = 0;

void reset() { wrong = backwards = taken = 0; }

/// Sees whether what each sender says comes in order; moves now and then.
class Listener : public Chare<Listener> {
 public:
  Listener() = default;
  explicit Listener(int moves) : moves_(moves) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(next_of_, moves_);
  }

  void hear(int from, int number) {
    ++taken;
    const auto [next, is_first] = next_of_.try_emplace(from, number);
    if (next->second != number) ++wrong;
    if (number < next->second) ++backwards;
    next->second = number + 1;
    if (moves_ != 0 && (from + number + index().x) % moves_ == 0)
      migrate_to(static_cast<PeId>(index().x + number) % this_runtime().pes());
  }
  int answer(int from, int number) {
    hear(from, number);
    return 1;
  }
  void end() { destroy(); }
  using ordered = Entries<&Listener::hear, &Listener::answer>;

 private:
  std::map<int, int> next_of_;
  int moves_ = 0;
};

/// Broadcasts, and moves.
class Speaker : public Chare<Speaker> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(said_);
  }
  void speak(Proxy<Listener> to, int count) {
    for (int i = 0; i < 3 && said_ < count; ++i) to.broadcast<&Listener::hear>(index().x, said_++);
    if (said_ % 2 == 1) migrate_to((pe() + 1) % this_runtime().pes());
    if (said_ < count) self().send<&Speaker::speak>(to, count);
  }
  Task<> speak_to_some(Proxy<Listener> to, Section<Listener> some, int count) {
    for (; said_ < count; ++said_) {
      if (said_ % 3 == 1)
        some.broadcast<&Listener::hear>(index().x, said_);
      else
        to.broadcast<&Listener::hear>(index().x, said_);
      if (said_ % 4 == 0) co_await this_runtime().sleep_for(std::chrono::microseconds(2));
    }
  }
  void speak_and_end(Proxy<Listener> to, int count) {
    for (; said_ < count; ++said_) to.broadcast<&Listener::hear>(index().x, said_);
    destroy();
  }

 private:
  int said_ = 0;
};

constexpr int kListeners = 7, kSpeakers = 3, kWords = 20;

Task<> all_speak(Runtime& runtime, int moves) {
  const auto listeners = co_await runtime.create<Listener>(kListeners, moves);
  const auto speakers = co_await runtime.create<Speaker>(kSpeakers);
  for (int i = 0; i < kSpeakers; ++i) speakers[i].send<&Speaker::speak>(listeners, kWords);
  for (int i = 0; i < kWords; ++i) listeners.broadcast<&Listener::hear>(-1, i);  // of who is no element
  co_await runtime.quiescence();
  CHECK(wrong == 0);
  CHECK(taken == kListeners * (kSpeakers + 1) * kWords);
}

void in_any_order(const Scene::MainTask& main_task, int seeds) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(seeds); ++seed) {
    INFO("seed " << seed);
    reset();
    Scene scene({seed % 3 == 0 ? 4 : 2, seed % 2 == 0 ? 2 : 1}, default_options(), seed);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.network().wire().copy_at_once(seed % 3 == 0);
    scene.run(main_task);
    for (PeId pe = 0; pe < scene.network().pes(); ++pe) CHECK(scene.network().pe(pe).waits().dependent() == 0);
  }
}

TEST_CASE("broadcasts of an ordered entry run in the order in which each sender sent them", "[order]") {
  run_everywhere([](Runtime& runtime) { return all_speak(runtime, 0); }, &reset);
  run_everywhere([](Runtime& runtime) { return all_speak(runtime, 3); }, &reset);
}

TEST_CASE("broadcasts of an ordered entry keep their order in any order of delivery, while both ends move", "[order]") {
  in_any_order([](Runtime& runtime) { return all_speak(runtime, 2); }, 40);
}

TEST_CASE("broadcasts to an array and to a section of it keep their order with each other", "[order]") {
  in_any_order(
      [](Runtime& runtime) -> Task<> {
        const auto listeners = co_await runtime.create<Listener>(kListeners, 3);
        std::vector<Index> members{1, 2, 5};
        const auto some = co_await listeners.section(members);
        const auto speakers = co_await runtime.create<Speaker>(kSpeakers);
        speakers.broadcast<&Speaker::speak_to_some>(listeners, some, kWords);
        co_await runtime.quiescence();
        CHECK(backwards == 0);
        // who is in no section misses each third
        const int missed = (kWords + 1) / 3;
        CHECK(taken == kSpeakers * (kListeners * kWords - (kListeners - 3) * missed));
      },
      20);
}

TEST_CASE("calls of all elements keep the order of ordered broadcasts, and have their results", "[order]") {
  in_any_order(
      [](Runtime& runtime) -> Task<> {
        const auto listeners = co_await runtime.create<Listener>(kListeners, 2);
        for (int i = 0; i < 10; ++i) {
          listeners.broadcast<&Listener::hear>(0, 2 * i);
          const int all = co_await listeners.call_all<&Listener::answer>(sum, 0, 2 * i + 1);
          CHECK(all == kListeners);
        }
        co_await runtime.quiescence();
        CHECK(wrong == 0);
        CHECK(taken == 20 * kListeners);
      },
      20);
}

/// Which numbers one that comes late hears is open: from its first on they follow each other.
TEST_CASE("elements of a sparse array that come and go hear ordered broadcasts in order", "[order]") {
  in_any_order(
      [](Runtime& runtime) -> Task<> {
        const auto listeners = co_await runtime.create_sparse<Listener>();
        for (int i = 0; i < 4; ++i) co_await listeners[i].insert_and_wait(2);
        for (int round = 0; round < 6; ++round) {
          for (int i = 0; i < 5; ++i) listeners.broadcast<&Listener::hear>(0, 5 * round + i);
          co_await listeners[10 + round].insert_and_wait(3);
          if (round != 1 && round != 3) continue;
          co_await runtime.quiescence();
          listeners[round].send<&Listener::end>();
          co_await runtime.quiescence();
          if (round == 3) co_await listeners[round].insert_on_and_wait(runtime.pes() - 1, 2);
        }
        co_await runtime.quiescence();
        CHECK(wrong == 0);
      },
      30);
}

TEST_CASE("an array whose ordered broadcasts wait may be destroyed", "[order]") {
  in_any_order(
      [](Runtime& runtime) -> Task<> {
        const auto listeners = co_await runtime.create<Listener>(kListeners, 2);
        const auto speakers = co_await runtime.create<Speaker>(kSpeakers);
        for (int i = 0; i < kSpeakers; ++i) speakers[i].send<&Speaker::speak_and_end>(listeners, kWords);
        co_await runtime.sleep_for(std::chrono::microseconds(15));
        co_await speakers.destroy_and_wait();
        co_await listeners.destroy_and_wait();
        co_await runtime.quiescence();
      },
      20);
}

TEST_CASE("an element that hears ordered broadcasts may be deleted", "[order]") {
  in_any_order(
      [](Runtime& runtime) -> Task<> {
        const auto listeners = co_await runtime.create<Listener>(kListeners, 2);
        for (int i = 0; i < kWords; ++i) {
          listeners.broadcast<&Listener::hear>(0, i);
          if (i == 7) listeners[3].send<&Listener::end>();
        }
        co_await runtime.quiescence();
        CHECK(wrong == 0);
      },
      20);
}

}  // namespace kaon::testing::ordered_broadcasts
