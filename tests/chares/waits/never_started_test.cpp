// SPDX-License-Identifier: Apache-2.0
// g++ 12 makes coroutines that do nothing when they are started. Nobody would wait, and nothing would be said.
#include <string>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::never_started {

class Voter : public Chare<Voter> {
 public:
  bool agrees() const { return true; }
  void count() { ++counted_; }
  int counted() const { return counted_; }

 private:
  int counted_ = 0;
};

// Each has no variable of its own.
Task<> await_in_if(Element<Voter> whom) {
  if (co_await whom.call<&Voter::agrees>()) whom.send<&Voter::count>();
}
Task<> await_in_while(Element<Voter> whom) {
  while (co_await whom.call<&Voter::counted>() == 0) whom.send<&Voter::count>();
}

Task<> call_such(Runtime& runtime, bool is_while) {
  const auto voters = co_await runtime.create<Voter>(4);
  if (is_while)
    co_await await_in_while(voters[3]);
  else
    co_await await_in_if(voters[3]);
  co_await runtime.quiescence();
  const int counted = co_await voters[3].call<&Voter::counted>();
  CHECK(counted == 1);
}

/// An entry that is such a coroutine itself.
class Asker : public Chare<Asker> {
 public:
  Task<> ask(Element<Voter> whom) {
    if (co_await whom.call<&Voter::agrees>()) whom.send<&Voter::count>();
  }
};

Task<> send_to_such(Runtime& runtime) {
  const auto voters = co_await runtime.create<Voter>(4);
  const auto askers = co_await runtime.create<Asker>(4);
  askers[3].send<&Asker::ask>(voters[2]);
  co_await runtime.quiescence();
  const int counted = co_await voters[2].call<&Voter::counted>();
  CHECK(counted == 1);
}

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
constexpr bool kHasTrap = true;
#else
constexpr bool kHasTrap = false;
#endif

void check(const Scene::MainTask& main_task) {
  const IgnoreLeaks frames_stay;  // of such coroutines, whose ends would not find what they hold
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{2, 2}}) {
    if (!kHasTrap) {
      Scene(shape).run(main_task);
      continue;
    }
    const std::string text = thrown<Deadlock>([&] { Scene(shape).run(main_task); });
    CAPTURE(text);
    CHECK(has(text, "a coroutine was started and does nothing"));
    CHECK(has(text, "Write the co_await on a line before, into a variable"));
  }
}

TEST_CASE("a coroutine that its compiler never starts is an error that says what to write", "[chares][stall]") {
  check([](Runtime& runtime) { return call_such(runtime, false); });
  check([](Runtime& runtime) { return call_such(runtime, true); });
}

TEST_CASE("so is an entry that is one", "[chares][stall]") { check(&send_to_such); }

}  // namespace kaon::testing::never_started
