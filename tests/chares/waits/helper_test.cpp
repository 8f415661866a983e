// SPDX-License-Identifier: Apache-2.0
// threads: helpers, which do for tasks what blocks
// Functions that tasks have run by helper threads, and tasks that go before these are done.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
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

namespace kaon::testing::helpers {

Task<int> values(Runtime&) {
  const auto pe_thread = std::this_thread::get_id();
  const auto helper = co_await on_helper_thread([] { return std::this_thread::get_id(); });
  const auto longer = [text = std::string(100, 'a')] { return text + "b"; };
  const std::string text = co_await on_helper_thread(longer);
  bool has_run = false;
  co_await on_helper_thread([&has_run] { has_run = true; });
  const auto only = co_await on_helper_thread([] { return std::make_unique<int>(5); });
  bool has_thrown = false;
  try {
    co_await on_helper_thread([]() -> int { throw std::runtime_error("by the helper"); });
  } catch (const std::runtime_error& error) {
    has_thrown = error.what() == std::string("by the helper");
  }
  const bool is_here = pe_thread == std::this_thread::get_id();
  co_return good_if(helper != pe_thread && text.size() == 101 && has_run && *only == 5 && has_thrown && is_here);
}

/// What a function has captured goes once, whatever a compiler does with expressions that await.
Task<int> captures(Runtime&) {
  auto captured = std::make_shared<int>(1);
  const auto read = [captured] { return *captured; };
  for (int i = 0; i < 10; ++i) co_await on_helper_thread(read);
  const bool were_copied = captured.use_count() == 2;
  auto only = [captured, number = std::make_unique<int>(2)] { return *number; };
  const int number = co_await on_helper_thread(only);
  co_return good_if(were_copied && number == 2 && captured.use_count() == 2);
}

/// A lock that entries open for functions which block.
struct Lock {
  std::promise<void> promise;
  std::shared_future<void> opened{promise.get_future()};
};
std::shared_ptr<Lock> lock;

class Porter : public Chare<Porter> {
 public:
  void open() { lock->promise.set_value(); }
  Task<int> wait(std::uint64_t) {
    const auto wait_for_lock = [lock = lock] {
      lock->opened.wait();
      return 5;
    };
    co_return co_await on_helper_thread(wait_for_lock);
  }
  Task<> wait_and_note() {
    co_await on_helper_thread([] {});
    ++noted_;
    co_await on_helper_thread([] {});
    ++noted_;
  }
  void leave() { destroy(); }
  int noted() const { return noted_; }

 private:
  int noted_ = 0;
};

/// The helper waits for an entry of the PE whose task waits for the helper.
Task<int> go_on_meanwhile(Runtime& runtime) {
  lock = std::make_shared<Lock>();
  const auto porters = co_await runtime.create<Porter>(2);
  const auto [came, nothing] = co_await all(porters[0].call<&Porter::wait>(1), porters[0].call<&Porter::open>());
  co_return good_if(came == 5);
}

Task<int> be_quiet(Runtime& runtime) {
  const auto porters = co_await runtime.create<Porter>(6);
  porters.broadcast<&Porter::wait_and_note>();
  co_await runtime.quiescence();
  const int noted = co_await porters.call_all<&Porter::noted>(sum);
  co_return good_if(noted == 12);
}

/// So many functions run at a time that each finds the others.
Task<int> meet(Runtime&) {
  std::barrier<> meeting(4);
  std::vector<Task<int>> tasks;
  const auto arrive = [](std::barrier<>* meeting) -> Task<int> {
    co_return co_await on_helper_thread([meeting] {
      meeting->arrive_and_wait();
      return 1;
    });
  };
  for (int i = 0; i < 4; ++i) tasks.push_back(arrive(&meeting));
  const std::vector<int> met = co_await all(std::move(tasks));
  co_return good_if(met == std::vector<int>(4, 1));
}

struct Crowd {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  int visit(int number) {
    const int now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
    std::this_thread::yield();
    --inside;
    return number;
  }
};

Task<int> queue_up(Runtime&) {
  Crowd crowd;
  std::vector<Task<int>> tasks;
  const auto visit = [](Crowd* crowd, int number) -> Task<int> {
    co_return co_await on_helper_thread([crowd, number] { return crowd->visit(number); });
  };
  for (int i = 0; i < 100; ++i) tasks.push_back(visit(&crowd, i));
  const std::vector<int> came = co_await all(std::move(tasks));
  co_return good_if(came.size() == 100 && std::is_sorted(came.begin(), came.end()) && crowd.most <= 2);
}

/// The element goes while its function runs; the result is dropped.
Task<int> lose_element(Runtime& runtime) {
  lock = std::make_shared<Lock>();
  const auto porters = co_await runtime.create<Porter>(2);
  porters[1].send<&Porter::wait>(1);
  porters[1].send<&Porter::leave>();
  co_await runtime.quiescence();  // nobody waits any more
  lock->promise.set_value();
  co_return kGood;
}

/// Functions run, wait for a thread, and come back, as the run ends.
Task<int> leave_early(Runtime& runtime) {
  lock = std::make_shared<Lock>();
  const auto porters = co_await runtime.create<Porter>(10);
  porters.broadcast<&Porter::wait>(std::uint64_t{1});
  co_await porters.call_all<&Porter::noted>(sum);
  lock->promise.set_value();
  co_return kGood;
}

TEST_CASE("values and exceptions of helper threads reach who awaits them", "[chares][helpers]") {
  check_with_pes({"1", "2"}, values);
}

TEST_CASE("what a helper's function has captured goes once", "[chares][helpers]") { check_with_pes({"1"}, captures); }

TEST_CASE("a PE goes on while a helper works for its task", "[chares][helpers]") {
  check_with_pes({"1", "2"}, go_on_meanwhile);
}

TEST_CASE("quiescence waits for helpers", "[chares][helpers]") { check_with_pes({"1", "2"}, be_quiet); }

TEST_CASE("helpers become as many as are needed, and no more than the option says", "[chares][helpers]") {
  check_with_pes({"1"}, meet);
  check_with_pes({"2"}, queue_up, {"--helper-threads", "2"});
}

TEST_CASE("an element may go while a helper works for it", "[chares][helpers]") {
  check_with_pes({"1", "2"}, lose_element);
  CHECK(lock.use_count() == 1);
}

TEST_CASE("a run may end while helpers work and functions wait for them", "[chares][helpers]") {
  for (const char* threads : {"1", "4"}) {
    check_with_pes({"2"}, leave_early, {"--helper-threads", threads});
    CHECK(lock.use_count() == 1);
  }
}

TEST_CASE("proxies are not used on helper threads", "[chares][helpers]") {
  CHECK(run_with({"--pes", "1"}, [](Runtime& runtime) -> Task<int> {
          const auto porters = co_await runtime.create<Porter>(1);
          const auto longer = [text = std::string(100, 'a')] { return text + "b"; };
          const std::string text = co_await on_helper_thread(
              [porters] { return thrown<UsageError>([&] { porters[0].send<&Porter::leave>(); }); });
          co_return good_if(has(text, "runtime.outside()"));
        }) == kGood);
}

TEST_CASE("without helper threads a function runs on its PE", "[chares][helpers]") {
  Scene scene({2, 2});
  scene.run([](Runtime& runtime) -> Task<> {
    const auto porters = co_await runtime.create<Porter>(6);
    porters.broadcast<&Porter::wait_and_note>();
    co_await runtime.quiescence();
    const int noted = co_await porters.call_all<&Porter::noted>(sum);
    CHECK(noted == 12);
    const bool is_here = co_await on_helper_thread([] { return this_pe_or_null() != nullptr; });
    CHECK(is_here);
  });
}

TEST_CASE("a task that waits for a helper is no deadlock", "[chares][helpers][stall]") {
  lock = std::make_shared<Lock>();
  {
    Scene scene({1, 2}, with(&Options::helper_threads, 2));
    scene.start([](Runtime& runtime) -> Task<> {
      const auto porters = co_await runtime.create<Porter>(2);
      co_await porters[1].call<&Porter::wait>(1);
    });
    CHECK_NOTHROW(look_often(scene));
    CHECK(has(scene.waits(), "a helper thread"));
    lock->promise.set_value();
  }
  CHECK(lock.use_count() == 1);
}

}  // namespace kaon::testing::helpers
