// SPDX-License-Identifier: Apache-2.0
// Calls that nobody waits for any more, because they have failed or were given up, while entries of theirs still wait.
#include <chrono>
#include <stdexcept>
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::left_calls {

class Guest : public Chare<Guest> {
 public:
  Inbox<int> door;

  Task<int> wait_or_fail(int failing) {
    if (index().x == failing) throw std::runtime_error("does not wait");
    const int number = co_await door.next();
    co_return number;
  }
};

constexpr int kNobody = -1;

/// Lets those go who wait, one of whom is `missing`.
Task<> open_doors(Runtime& runtime, Proxy<Guest> guests, int missing) {
  for (int i = 0; i < guests.shape().x; ++i)
    if (i != missing) guests[i].send<&Guest::door>(i);
  co_await runtime.quiescence();
}

Task<std::string> error_of_all(Proxy<Guest> guests, int failing) {
  try {
    (void)co_await guests.call_all<&Guest::wait_or_fail>(sum, failing);
  } catch (const std::runtime_error& error) {
    co_return error.what();
  }
  co_return "";
}

Task<> quiet_after_failure(Runtime& runtime) {
  const auto guests = co_await runtime.create<Guest>(7);
  for (const int failing : {0, 3, 6}) {
    const std::string text = co_await error_of_all(guests, failing);
    CHECK(text == "does not wait");
    co_await runtime.quiescence();  // although six wait, for what is sent only now
    co_await open_doors(runtime, guests, failing);
  }
}

Task<> quiet_after_giving_up(Runtime& runtime) {
  const auto guests = co_await runtime.create<Guest>(7);
  const auto first = co_await any(guests.call_all<&Guest::wait_or_fail>(sum, kNobody),
                                  runtime.sleep_for(std::chrono::milliseconds(5)));
  CHECK(first.index() == 1);
  co_await runtime.quiescence();
  co_await open_doors(runtime, guests, kNobody);
}

Task<> end_after_failure(Runtime& runtime) {
  const auto guests = co_await runtime.create<Guest>(7);
  const std::string text = co_await error_of_all(guests, 3);
  CHECK(text == "does not wait");
  co_await guests.destroy_and_wait();
  co_await runtime.quiescence();
}

Task<> quiet_after_destruction(Runtime& runtime) {
  const auto guests = co_await runtime.create<Guest>(100);
  guests.destroy();
  co_await runtime.quiescence();
  bool is_refused = false;
  try {
    guests[7].send<&Guest::door>(1);
  } catch (const UsageError&) {
    is_refused = true;
  }
  CHECK(is_refused);  // it is gone everywhere
}

Task<> call_twice(Runtime& runtime) {
  const auto guests = co_await runtime.create<Guest>(2);
  auto call = guests[1].call<&Guest::wait_or_fail>(kNobody);
  guests[1].send<&Guest::door>(9);
  const int number = co_await call;
  CHECK(number == 9);
  (void)co_await call;
}

TEST_CASE("quiescence comes although entries of a call that has failed wait", "[chares][call]") {
  run_everywhere(quiet_after_failure);
}
TEST_CASE("quiescence comes although entries of a call that was given up wait", "[chares][call]") {
  run_everywhere(quiet_after_giving_up);
}
TEST_CASE("an array is destroyed although entries of a failed call wait", "[chares][call]") {
  run_everywhere(end_after_failure);
}
TEST_CASE("quiescence comes after an array is gone that nobody waits for", "[chares][call]") {
  run_everywhere(quiet_after_destruction);
}
TEST_CASE("a call that is awaited twice says so", "[chares][call]") {
  const std::string text = thrown<UsageError>([] { Scene({2, 1}).run(call_twice); });
  CHECK(text.find("awaited a second time") != std::string::npos);
}

}  // namespace kaon::testing::left_calls
