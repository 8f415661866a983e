// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdint>
#include <string>

#include "kaon/chares/migration/departure.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::deletions {

int alive = 0;
int taken = 0;
int waiting = 0;
int refused = 0;

class Mortal : public Chare<Mortal> {
 public:
  Mortal() { ++alive; }
  ~Mortal() { --alive; }

  void take(int) { ++taken; }
  void take_payload(Payload<int> values) { taken += static_cast<int>(values.size()); }
  int answer() const { return 1; }
  void die() {
    destroy();
    ++taken;  // it is still there
  }
  void die_twice() {
    destroy();
    destroy();
  }
  Task<> die_waiting() {
    destroy();
    co_await this_runtime().sleep_for(std::chrono::hours(1));
    ++taken;
  }
  Task<int> answer_late() {
    ++waiting;
    co_await wake.next();
    co_return 1;
  }
  Task<int> die_before_answering() {
    destroy();
    return answer_late();
  }
  Inbox<int> wake;
  void move(PeId to) { migrate_to(to); }
  void send_to(Element<Mortal> other, int count) {
    for (int i = 0; i < count; ++i) other.send<&Mortal::take_payload>(Payload<int>(std::vector<int>(5000)));
  }
  Task<int> add_up() { co_return co_await contribute(sum, 1); }
  Task<> wander(int left) {
    if (left == 10) self().send<&Mortal::die>();
    if (left == 0) co_return;
    migrate_to((pe() + 1) % this_runtime().pes());
    co_await at_rest<&Mortal::wander>(left - 1);
  }

  template <class Archive>
  void pup(Archive&) {}
};

/// Awaits results of those who are deleted meanwhile.
class Asker : public Chare<Asker> {
 public:
  Task<> ask(Element<Mortal> whom) {
    try {
      co_await whom.call<&Mortal::answer_late>();
    } catch (const UsageError&) {
      ++refused;
    }
  }
  Task<> ask_who_dies(Element<Mortal> whom) {
    try {
      co_await whom.call<&Mortal::die_before_answering>();
    } catch (const UsageError&) {
      ++refused;
    }
  }
  Task<> ask_all(Proxy<Mortal> all) {
    try {
      co_await all.call_all<&Mortal::answer_late>(sum);
    } catch (const UsageError&) {
      ++refused;
    }
  }
};

void reset() { alive = taken = waiting = refused = 0; }

Task<> delete_some(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(6);
  array[2].send<&Mortal::die>();
  array[3].send<&Mortal::die_twice>();
  array[5].send<&Mortal::die_waiting>();
  co_await runtime.quiescence();
  CHECK(alive == 3);
  CHECK(taken == 1);
  for (int i = 0; i < 6; ++i) array[i].send<&Mortal::take>(i);
  array[0].send<&Mortal::send_to>(array[2], 3);
  co_await runtime.quiescence();
  CHECK(taken == 4);
  CHECK_AWAITED(array.call_all<&Mortal::answer>(sum), 3);
}

Task<> delete_while_sent_to(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(8);
  for (int i = 0; i < 8; ++i) array[i].send<&Mortal::send_to>(array[4], 10);
  array[4].send<&Mortal::die>();
  for (int i = 0; i < 8; ++i) array[i].send<&Mortal::send_to>(array[4], 10);
  co_await runtime.quiescence();
  CHECK(alive == 7);
}

Task<> delete_after_a_move(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(4);
  array[1].send<&Mortal::move>(runtime.pes() - 1);
  co_await runtime.quiescence();
  array[1].send<&Mortal::die>();
  co_await runtime.quiescence();
  for (int i = 0; i < 4; ++i) array[i].send<&Mortal::send_to>(array[1], 1);
  co_await runtime.quiescence();
  CHECK(alive == 3);
  CHECK(taken == 1);
}

Task<> call_a_deleted_one(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(4);
  array[3].send<&Mortal::die>();
  co_await runtime.quiescence();
  co_await array[3].call<&Mortal::answer>();
}

/// Deletes the last of them, of whose results all are awaited.
Task<> delete_while_awaited(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(4);
  const auto askers = co_await runtime.create<Asker>(4);
  askers[0].send<&Asker::ask_all>(array);
  askers[1].send<&Asker::ask>(array[3]);
  askers[2].send<&Asker::ask>(array[3]);
  while (waiting < 4 + 2) co_await runtime.sleep_for(std::chrono::microseconds(1));
  array[3].send<&Mortal::die>();
  for (int i = 0; i < 3; ++i) array[i].send<&Mortal::wake>(0);
  askers[3].send<&Asker::ask_who_dies>(array[2]);
  co_await runtime.quiescence();
  CHECK(refused == 4);
  CHECK(alive == 2);
}

/// It ends on its way, perhaps before the entry that is to go on.
Task<> delete_a_wanderer(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(2);
  array[1].send<&Mortal::wander>(20);
  co_await runtime.quiescence();
  CHECK(alive == 1);
}

/// What all PEs of a scene have lost.
CollectionTable::Lost lost_in(Scene& scene) {
  CollectionTable::Lost all;
  for (PeId pe = 0; pe < scene.network().pes(); ++pe) {
    const CollectionTable::Lost& lost = scene.network().pe(pe).collections().lost();
    all.count += lost.count;
    all.lines.insert(all.lines.end(), lost.lines.begin(), lost.lines.end());
  }
  return all;
}

Task<> contribute_without_all(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(4);
  array[3].send<&Mortal::die>();
  co_await runtime.quiescence();
  co_await array.call_all<&Mortal::add_up>(sum);
}

/// It is alone on its PE, so that nothing else comes from there.
Task<> die_instead_of_contributing(Runtime& runtime) {
  const auto array = co_await runtime.create<Mortal>(2);
  array[0].send<&Mortal::add_up>();
  co_await runtime.quiescence();
  array[1].send<&Mortal::die>();
  co_await runtime.quiescence();
}

}  // namespace kaon::testing::deletions

namespace td = kaon::testing::deletions;
using namespace kaon::testing;

static void check_misuse(const Scene::MainTask& main_task, const std::string& said) {
  td::reset();
  const std::string text = kaon::testing::thrown<kaon::UsageError>([&] {
    Scene scene({2, 1});
    scene.run(main_task);
  });
  CHECK(text.find(said) != std::string::npos);
}

TEST_CASE("a deleted chare is gone and what comes for it is dropped", "[chares][deletion]") {
  run_everywhere(td::delete_some, td::reset);
}

TEST_CASE("messages that are dropped with a deleted chare are counted and named", "[chares][deletion]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{2, 2}}) {
    td::reset();
    Scene scene(shape);
    scene.run(td::delete_some);  // of six one each to three, and three more to one of them
    const CollectionTable::Lost lost = td::lost_in(scene);
    CHECK(lost.count == 6);
    REQUIRE(lost.lines.size() >= 3);  // equal ones of a sender are one
    REQUIRE(lost.lines.size() < 6);
    std::uint64_t counted = 0;
    for (const CollectionTable::Lost::Line& line : lost.lines) counted += line.count;
    CHECK(counted == 6);
    CHECK(lost.lines[0].text.find("Mortal::take") != std::string::npos);
    CHECK(lost.lines[0].text.find("element (") != std::string::npos);
  }
}

TEST_CASE("a call of a deleted chare, and an entry that would go on with it, are no lost messages",
          "[chares][deletion]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    td::reset();
    Scene scene({3, 1}, default_options(), seed);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.run(td::delete_a_wanderer);
    CHECK(td::lost_in(scene).count == 0);
  }
  td::reset();
  Scene scene({2, 1});
  CHECK_THROWS_AS(scene.run(td::call_a_deleted_one), UsageError);
  CHECK(td::lost_in(scene).count == 0);
}

TEST_CASE("a chare may be deleted between messages and their payloads", "[chares][deletion]") {
  run_everywhere(td::delete_while_sent_to, td::reset);
}

TEST_CASE("a chare that has moved may be deleted", "[chares][deletion]") {
  run_everywhere(td::delete_after_a_move, td::reset);
}

TEST_CASE("a call of a deleted chare is an error, not a wait for ever", "[chares][deletion]") {
  check_misuse(td::call_a_deleted_one, "was deleted");
}

TEST_CASE("who awaits an entry that is suspended is told when its chare is deleted", "[chares][deletion]") {
  run_everywhere(td::delete_while_awaited, td::reset);
}

TEST_CASE("a contribution without the deleted is an error, not a wait for ever", "[chares][deletion]") {
  check_misuse(td::contribute_without_all, "use call_all() instead");
}

TEST_CASE("who is deleted while the others await its contribution is an error, not a wait for ever",
          "[chares][deletion]") {
  check_misuse(td::die_instead_of_contributing, "use call_all() instead");
}
