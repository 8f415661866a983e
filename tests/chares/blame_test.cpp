// SPDX-License-Identifier: Apache-2.0
// What an error is said to have come of: the message that is at fault, never one that was run before it.
#include <exception>
#include <stdexcept>
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::blame {

/// Can be sent and not be read.
struct Unreadable {
  template <class Archive>
  void pup(Archive& archive) {
    int bytes = 0;
    archive(bytes);
    if constexpr (Archive::is_loading) throw std::runtime_error("this pup gave up");
  }
};

class Part : public Chare<Part> {
 public:
  void innocent() {}
  void take(Unreadable) {}
  void go() { destroy(); }
  int answer() { return 1; }
  Task<int> give() { co_return co_await contribute(sum, 1); }
  void fail() { throw std::runtime_error("by itself"); }
  void fail_as_last() {
    if (index().x + 1 == array().shape().x) fail();
  }
};
Task<> send_unreadable(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(4);
  parts.broadcast<&Part::innocent>();
  co_await runtime.quiescence();
  parts[3].send<&Part::innocent>();
  parts[3].send<&Part::take>(Unreadable());
  co_await runtime.quiescence();
}

constexpr int kMany = 2000;  // more than a broadcast reaches in one turn

Task<> fail_in_broadcast(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(2);
  parts.broadcast<&Part::fail>();
  co_await runtime.quiescence();
}

std::string text_of_deleted;
Task<> call_deleted(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(4);
  parts[3].send<&Part::go>();
  co_await runtime.quiescence();
  try {
    co_await parts[3].call<&Part::answer>();
  } catch (const UsageError& error) {
    text_of_deleted = error.what();
  }
}

Task<> contribute_after_deletion(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(4);
  parts[3].send<&Part::go>();
  co_await runtime.quiescence();
  co_await parts.call_all_and_wait<&Part::innocent>();
  co_await parts[0].call<&Part::give>();
}

/// Reads fewer bytes than it has written, or more.
template <int Written, int Read>
struct Uneven {
  template <class Archive>
  void pup(Archive& archive) {
    for (int i = 0; i < (Archive::is_saving ? Written : Read); ++i) archive(value);
  }
  int value = 0;
};

class Taker : public Chare<Taker> {
 public:
  void take_short(Uneven<3, 1>) {}
  void take_long(Uneven<1, 2>) {}
};

template <auto E, class V>
Task<> send_uneven(Runtime& runtime) {
  const auto takers = co_await runtime.create<Taker>(2);
  send<E>(takers[1], V());
  co_await runtime.quiescence();
}

/// What is said when such a message is sent within a process.
template <auto E, class V>
std::string said_of_uneven() {
  Scene scene({1, 1}, with(&Options::serialize_always, true));
  std::exception_ptr error;
  std::string text;
  try {
    scene.run(send_uneven<E, V>);
  } catch (const CorruptMessage& corrupt) {
    error = std::current_exception();
    text = corrupt.what();
  }
  return text + " in " + (error ? scene.network().pe(0).failures().origin_of(error) : "nothing");
}

TEST_CASE("a message that cannot be read is named, and not the entry that ran before", "[chares][blame]") {
  Scene scene({2, 1});
  CHECK(thrown<std::runtime_error>([&] { scene.run(send_unreadable); }) == "this pup gave up");
  const std::string place = describe_running(scene.network().pe(1));
  CAPTURE(place);
  CHECK(has(place, "the reading of a message for the entry "));
  CHECK(has(place, "Part::take of element (3, 0, 0) of 4 x 1 x 1 "));
  CHECK(has(place, "blame::Part, which came from PE 0"));
}

TEST_CASE("a message that cannot be read again in its own process is named", "[chares][blame]") {
  Scene scene({1, 1}, with(&Options::serialize_always, true));
  std::exception_ptr error;
  try {
    scene.run(send_unreadable);
  } catch (const std::runtime_error&) {
    error = std::current_exception();
  }
  REQUIRE(error != nullptr);
  // said before the task that has sent it
  const std::string origin = scene.network().pe(0).failures().origin_of(error);
  CAPTURE(origin);
  CHECK(has(origin, "Part::take of element (3, 0, 0)"));
}

TEST_CASE("a pup that reads less or more than it wrote is found within a process", "[chares][blame]") {
  const std::string less = said_of_uneven<&Taker::take_short, Uneven<3, 1>>();
  CAPTURE(less);
  CHECK(has(less, "leave its last 8 bytes unread"));
  CHECK(has(less, "Taker::take_short of element (1, 0, 0)"));
  const std::string more = said_of_uneven<&Taker::take_long, Uneven<1, 2>>();
  CAPTURE(more);
  CHECK(has(more, "ends too early"));
  CHECK(has(more, "Taker::take_long of element (1, 0, 0)"));
}

TEST_CASE("an error in a broadcast names the element whose turn it was", "[chares][blame]") {
  Scene scene({1, 2});
  CHECK(thrown<std::runtime_error>([&] { scene.run(fail_in_broadcast, 1); }) == "by itself");
  int named = 0;
  for (const PeId pe : {0u, 1u}) {
    const std::string place = describe_running(scene.network().pe(pe));
    named += has(place, "Part::fail of element (" + std::to_string(pe) + ", 0, 0)") ? 1 : 0;
  }
  CHECK(named >= 1);
}

TEST_CASE("an error in a broadcast of many turns names the element whose turn it was", "[chares][blame]") {
  Scene scene({1, 1});
  const auto run = [](Runtime& runtime) -> Task<> {
    const auto parts = co_await runtime.create<Part>(kMany);
    parts.broadcast<&Part::fail_as_last>();
    co_await runtime.quiescence();
  };
  CHECK(thrown<std::runtime_error>([&] { scene.run(run); }) == "by itself");
  const std::string place = describe_running(scene.network().pe(0));
  CAPTURE(place);
  CHECK(has(place, "Part::fail_as_last of element (" + std::to_string(kMany - 1) + ", 0, 0)"));
}

TEST_CASE("a call of a deleted element names its entry and class", "[chares][blame]") {
  run_everywhere(call_deleted, [] { text_of_deleted.clear(); });
  CAPTURE(text_of_deleted);
  CHECK(has(text_of_deleted, "the result of the entry "));
  CHECK(has(text_of_deleted, "Part::answer of element (3, 0, 0) of 4 x 1 x 1 "));
}

TEST_CASE("a contribution that lacks a deleted element names the class, and no other entry", "[chares][blame]") {
  Scene scene({2, 1});
  const std::string text = thrown<UsageError>([&] { scene.run(contribute_after_deletion); });
  CHECK(has(text, "elements of an array of 4 x 1 x 1 "));
  CHECK(has(text, "blame::Part were deleted"));
  for (const PeId pe : {0u, 1u}) CHECK_FALSE(has(describe_running(scene.network().pe(pe)), "innocent"));
}

}  // namespace kaon::testing::blame
