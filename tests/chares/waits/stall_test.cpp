// SPDX-License-Identifier: Apache-2.0
// Runs that wait for what never comes say so; those that wait for something from outside do not.
#include <chrono>
#include <coroutine>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/pe/stall_watch.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/chares/look_often.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::stalls {

struct Numbered {
  int key = 0;
};

/// Of the program's own: the runtime knows nothing of it.
struct Foreign {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<>) const {}
  void await_resume() const {}
};

struct Kept {
  std::coroutine_handle<>& where;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> task) const { where = task; }
  void await_resume() const {}
};

class Stuck : public Chare<Stuck> {
 public:
  Task<int> take(int key) { co_return (co_await numbers.when(key)).key; }
  Task<> ask(int key) { co_await array()[(index().x + 1) % 4].call<&Stuck::take>(key); }
  Task<> contribute_some() {
    if (index().x != 2) co_await contribute(sum, 1);
  }
  Task<> be_quiet() { co_await this_runtime().quiescence(); }
  Task<> nap() { co_await this_runtime().sleep_for(std::chrono::hours(1)); }
  Task<> wait_elsewhere() { co_await Foreign(); }
  Task<> nobody_sends() { co_await unused.next(); }
  Task<> wait_elsewhere_too() { co_await any(foreign(), unused.next()); }
  Task<> wait_elsewhere_with_all() { co_await all(unused.next(), foreign()); }
  static Task<> foreign() { co_await Foreign(); }
  int answer() { return 1; }
  Task<> wait_beside_who_ends() { co_await all(unused.next(), array()[(index().x + 1) % 4].call<&Stuck::answer>()); }

  // The one is resumed by the other, by means that are their own.
  Task<> be_woken() {
    co_await Kept{sleeper};
    co_await unused.next();
  }
  Task<> wake() {
    std::exchange(sleeper, {}).resume();
    co_return;
  }
  Task<int> move_and_wait() {
    migrate_to((pe() + 1) % this_runtime().pes());
    co_return (co_await numbers.when(3)).key;
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(numbers, unused);
  }
  std::coroutine_handle<> sleeper;
  Inbox<Numbered, &Numbered::key> numbers;
  Inbox<std::string> unused;
};

Task<> wait_for_key(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  stuck[3].send<&Stuck::numbers>(Numbered{8});
  co_await stuck[3].call<&Stuck::take>(7);
}
Task<> ask_another(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[1].call<&Stuck::ask>(5);
}
Task<> reduce_without_one(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck.call_all_and_wait<&Stuck::contribute_some>();
}
Task<> quiet_within_a_call(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[2].call<&Stuck::be_quiet>();
}
Task<> wait_beside_a_timer(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  stuck[1].send<&Stuck::nap>();
  co_await stuck[3].call<&Stuck::take>(7);
}
Task<> wait_beside_something_foreign(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  stuck[1].send<&Stuck::wait_elsewhere>();
  co_await stuck[3].call<&Stuck::take>(7);
}
Task<> wait_elsewhere_in_any(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[1].call<&Stuck::wait_elsewhere_too>();
}
Task<> wait_elsewhere_in_all(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[1].call<&Stuck::wait_elsewhere_with_all>();
}
Task<> wait_in_all(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await all(stuck[1].call<&Stuck::take>(1), stuck[2].call<&Stuck::take>(2));
}
Task<> wait_beside_who_ends(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[1].call<&Stuck::wait_beside_who_ends>();
}
Task<> be_woken_by_another(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(1);
  stuck[0].send<&Stuck::be_woken>();
  co_await stuck[0].call<&Stuck::wake>();
  co_await stuck[0].call<&Stuck::take>(7);
}
Task<> send_to_nobody(Runtime& runtime) {
  const auto stuck = co_await runtime.create_sparse<Stuck>();
  stuck[{3, 1, -4}].send<&Stuck::nobody_sends>();
  co_await runtime.quiescence();
}
Task<> insert_behind_a_message(Runtime& runtime) {
  const auto stuck = co_await runtime.create_sparse<Stuck>();
  stuck[5].send<&Stuck::numbers>(Numbered{1});
  co_await stuck[5].insert_and_wait();
  co_await stuck[5].call<&Stuck::take>(1);
}
Task<> end_behind_a_message(Runtime& runtime) {
  const auto stuck = co_await runtime.create_sparse<Stuck>();
  stuck[5].send<&Stuck::numbers>(Numbered{1});
  stuck.destroy();
  co_await runtime.quiescence();
}
Task<> wait_to_move(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[3].call<&Stuck::move_and_wait>();
}
Task<> wait_for_nobody(Runtime& runtime) {
  const auto stuck = co_await runtime.create<Stuck>(4);
  co_await stuck[0].call<&Stuck::nobody_sends>();
}

/// What the run says of itself after `looks` at all of it with nothing under way; empty when it goes on.
std::string said_by(Scene::MainTask main_task, const Network::Shape& shape, int looks = 3,
                    const Options& options = default_options()) {
  return thrown<Deadlock>([&] {
    Scene scene(shape, options);
    scene.start(main_task);
    look_often(scene, looks);
  });
}

const std::vector<Network::Shape> kShapes{{1, 1}, {1, 3}, {3, 1}, {2, 2}};

TEST_CASE("a wait for a message that never comes names element, inbox and key", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) {
    const std::string text = said_by(wait_for_key, shape);
    CHECK(has(text, "deadlock"));
    CHECK(has(text, "for the result of kaon::testing::stalls::Stuck::take"));
    CHECK(has(text, "the entry kaon::testing::stalls::Stuck::take of element (3, 0, 0)"));
    CHECK(has(text, "with key 7 in its inbox kaon::testing::stalls::Stuck::numbers"));
  }
}

TEST_CASE("a chain of calls that ends nowhere is told whole", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) {
    const std::string text = said_by(ask_another, shape);
    CHECK(has(text, "Stuck::ask of element (1, 0, 0)"));
    CHECK(has(text, "Stuck::take of element (2, 0, 0)"));
  }
}

TEST_CASE("a reduction that lacks an element is a deadlock", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) CHECK(has(said_by(reduce_without_one, shape), "for contribution 0"));
}

TEST_CASE("a message for an element that is never inserted is told", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) {
    Scene scene(shape);
    scene.start(send_to_nobody);
    const std::string text = thrown<Deadlock>([&] {
      scene.network().run_until([&] {
        scene.network().on(0, [](Pe& pe) { pe.stall_watch().look(); });
        return false;
      });
    });
    CHECK(has(text, "a message from PE 0 to kaon::testing::stalls::Stuck::nobody_sends, for element (3, 1, -4)"));
    CHECK(has(text, "which is not there"));
  }
}

TEST_CASE("a message that has waited for an element is thought to wait no more", "[chares][stall]") {
  for (const auto main_task : {insert_behind_a_message, end_behind_a_message}) {
    Scene scene({1, 1});
    scene.run(main_task);
    CHECK(scene.network().pe(0).waits().dependent() == 0);
  }
}

TEST_CASE("quiescence that is awaited within a call is a deadlock", "[chares][stall]") {
  Scene scene;
  scene.start(quiet_within_a_call);  // its waves never end, so the network is never idle
  CHECK_THROWS_AS(scene.network().run_until([&] {
    scene.network().on(0, [](Pe& pe) { pe.stall_watch().look(); });
    return false;
  }),
                  Deadlock);
}

TEST_CASE("one look is no proof", "[chares][stall]") { CHECK(said_by(wait_for_key, {2, 2}, 2).empty()); }

TEST_CASE("a run that stands still ends after as long as is wanted, or never", "[chares][stall]") {
  const auto after = [](double seconds, int looks) {
    return said_by(wait_for_key, {2, 2}, looks, with(&Options::deadlock_s, seconds));
  };
  CHECK(after(5, 19).empty());  // four a second
  CHECK_FALSE(after(5, 20).empty());
  CHECK(after(0, 100).empty());
}

TEST_CASE("what happens between two looks is hope", "[chares][stall]") {
  Scene scene({2, 2});
  scene.start(wait_for_key);
  scene.network().run_until_idle();
  for (int look = 0; look < 10; ++look) {
    scene.network().on(0, [](Pe& pe) {
      pe.count_made();
      pe.count_done();
      pe.stall_watch().look();
    });
    CHECK_NOTHROW(scene.network().run_until_idle());
  }
}

TEST_CASE("a message under way is hope, however long it takes", "[chares][stall]") {
  Scene scene({2, 1});
  scene.network().wire().hold(
      [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::data; });
  scene.start(wait_for_key);
  scene.network().run_until_idle();
  REQUIRE_FALSE(scene.network().wire().pending().empty());
  CHECK_NOTHROW(look_often(scene, 10));
}

TEST_CASE("what may still come from outside is no deadlock", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) {
    CHECK(said_by(wait_beside_a_timer, shape, 10).empty());
    CHECK(said_by(wait_beside_something_foreign, shape, 10).empty());
    CHECK(said_by(wait_elsewhere_in_any, shape, 10).empty());
    CHECK(said_by(wait_elsewhere_in_all, shape, 10).empty());
  }
}

TEST_CASE("tasks that wait side by side are a deadlock when all of them wait", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) CHECK(has(said_by(wait_in_all, shape), "with key 2"));
}

TEST_CASE("a task whose other branch has ended is a deadlock", "[chares][stall]") {
  for (const Network::Shape& shape : kShapes) {
    const std::string text = said_by(wait_beside_who_ends, shape);
    CAPTURE(text);
    CHECK(has(text, "Stuck::wait_beside_who_ends of element (1, 0, 0)"));
  }
}

TEST_CASE("a task that another has resumed is told by its own name", "[chares][stall]") {
  const std::string text = said_by(be_woken_by_another, {1, 1});
  INFO(text);
  CHECK(has(text, "the entry kaon::testing::stalls::Stuck::be_woken of element (0, 0, 0)"));
  CHECK_FALSE(has(text, "Stuck::wake"));
}

TEST_CASE("an element that cannot move for what it waits for is named with where it is to go", "[chares][stall]") {
  for (const Network::Shape& shape : {Network::Shape{1, 3}, Network::Shape{3, 1}}) {
    const std::string text = said_by(wait_to_move, shape);
    CAPTURE(text);
    CHECK(has(text, "element (3, 0, 0) of 4 x 1 x 1 kaon::testing::stalls::Stuck, which is to move to PE "));
  }
}

TEST_CASE("an inbox that nobody sends to is told by its type", "[chares][stall]") {
  CHECK(has(said_by(wait_for_nobody, {1, 1}), "to which nothing in this program sends"));
}

}  // namespace kaon::testing::stalls
