// SPDX-License-Identifier: Apache-2.0
// threads: of the program's own, which post to PEs whose run ends
// Functions that threads of the program's own give to a run that ends, pauses, or waits for them alone.
#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "kaon/runtime/pe/stall_watch.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/chares/look_often.hpp"
#include "tests/chares/run_with.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::outside_ends {

class Asked : public Chare<Asked> {
 public:
  Task<int> next_number() { co_return co_await numbers.next(); }
  Inbox<int> numbers;
};

void join(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) thread.join();
}

/// Of threads that go on until the run is over.
struct Poster {
  Outside door;
  std::atomic<int>* runs;
  int posted = 0, called = 0, answered = 0, ended = 0;

  void post_on() {
    std::vector<std::future<int>> futures;
    try {
      while (true) {
        door.post([runs = runs] { ++*runs; });
        ++posted;
        if (posted % 100 == 1) futures.push_back(door.call([runs = runs] { return ++*runs; }));
      }
    } catch (const RunEnded&) {
    }
    called = static_cast<int>(futures.size());
    for (auto& future : futures) count(future);
  }
  void count(std::future<int>& future) {
    try {
      future.get();
      ++answered;
    } catch (const RunEnded&) {
      ++ended;
    }
  }
};

struct EndlessPosts {
  std::atomic<int> runs{0};
  std::vector<Poster> posters;
  std::vector<std::thread> threads;
  std::future<int> never;
  Outside door;

  Task<int> main(Runtime& runtime) {
    const auto asked = co_await runtime.create<Asked>(1);
    door = runtime.outside();
    never = std::async(std::launch::async, [door = door, asked] {
              return door.call([asked] { return asked[0].call<&Asked::next_number>(); });
            }).get();
    posters.assign(4, Poster{door, &runs});
    for (Poster& poster : posters) threads.emplace_back([&poster] { poster.post_on(); });
    while (runs.load() < 1000) co_await runtime.sleep_for(std::chrono::microseconds(100));
    co_return kGood;
  }
};

struct Numbered {
  int key = 0;
};

class Waiting : public Chare<Waiting> {
 public:
  Task<> wait() { co_await numbers.when(7); }
  Inbox<Numbered, &Numbered::key> numbers;
};

const std::vector<Network::Shape> kShapes{{1, 1}, {1, 3}, {3, 1}, {2, 2}};

TEST_CASE("a run ends while threads post: all they gave is run or told of", "[chares][outside]") {
  for (const char* pes : {"1", "2"}) {
    EndlessPosts posts;
    CHECK(run_with({"--pes", pes}, [&](Runtime& runtime) { return posts.main(runtime); }) == kGood);
    join(posts.threads);
    int posted = 0;
    for (const Poster& poster : posts.posters) {
      posted += poster.posted + poster.answered;
      CHECK(poster.answered + poster.ended == poster.called);
    }
    CHECK((posts.runs >= 1000 && posts.runs <= posted));
    CHECK_THROWS_AS(posts.never.get(), RunEnded);
    CHECK_THROWS_AS(posts.door.post([] {}), RunEnded);
    CHECK_THROWS_AS(posts.door.call([] { return 1; }).get(), RunEnded);
  }
}

TEST_CASE("what is posted between two runs of a session runs in the next", "[chares][outside]") {
  Options options;
  options.pes = 2;
  options.pin = false;
  Session session(options);
  Outside door;
  session.run([&](Runtime& runtime) -> Task<int> {
    door = runtime.outside();
    co_return 0;
  });
  int runs = 0;
  std::thread([&] {
    for (int i = 0; i < 10; ++i) door.post([&] { ++runs; });
  }).join();
  CHECK(runs == 0);
  session.run([&](Runtime& runtime) -> Task<int> {
    co_await runtime.quiescence();
    co_return 0;
  });
  CHECK(runs == 10);
  door.post([&] { runs = -1; });
  auto future = door.call([] {});
  session.stop();
  CHECK_THROWS_AS(future.get(), RunEnded);
  CHECK(runs == 10);
}

TEST_CASE("a run that waits is no deadlock while an Outside is held, and is one then", "[chares][outside][stall]") {
  for (const Network::Shape& shape : kShapes) {
    Scene scene(shape);
    std::optional<Outside> held, copy;
    scene.start([&](Runtime& runtime) -> Task<> {
      held = copy = runtime.outside();
      const auto waiting = co_await runtime.create<Waiting>(3);
      co_await waiting[2].call<&Waiting::wait>();
    });
    CHECK_NOTHROW(look_often(scene));
    std::thread([door = std::move(*held)] {}).join();
    held.reset();
    CHECK_NOTHROW(look_often(scene));
    std::thread([door = std::move(*copy)] {}).join();
    copy.reset();
    CHECK(has(thrown<Deadlock>([&] { look_often(scene); }), "with key 7"));
  }
}

TEST_CASE("what was posted runs, though nobody holds the Outside any more", "[chares][outside][stall]") {
  for (const Network::Shape& shape : kShapes) {
    Scene scene(shape);
    Outside door;
    scene.start([&](Runtime& runtime) -> Task<> {
      const auto waiting = co_await runtime.create<Waiting>(3);
      door = runtime.outside();
      std::thread([waiting, last = std::exchange(door, {})] {
        last.post([waiting] { waiting[2].send<&Waiting::numbers>(Numbered{7}); });
      }).join();
      co_await waiting[2].call<&Waiting::wait>();
    });
    CHECK_NOTHROW(look_often(scene));
    CHECK(scene.all_ended());
  }
}

}  // namespace kaon::testing::outside_ends
