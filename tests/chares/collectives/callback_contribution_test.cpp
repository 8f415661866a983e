// SPDX-License-Identifier: Apache-2.0
// Reductions whose result goes to the target of a callback, once, and to no contributor.
#include "kaon/chares/collectives/callback_contribution.hpp"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::callback_contributions {

class Hearer : public Chare<Hearer> {
 public:
  void hear(long sum) {
    ++times_;
    heard_ = sum;
  }
  void hear_both(int least, std::string longest) {
    ++times_;
    heard_ = least + static_cast<long>(longest.size());
  }
  void hear_nothing() { ++times_; }
  int times() const { return times_; }
  long heard() const { return heard_; }

 private:
  int times_ = 0;
  long heard_ = 0;
};

struct Longer {
  std::string operator()(const std::string& a, const std::string& b) const { return a.size() < b.size() ? b : a; }
};

class Part : public Chare<Part> {
 public:
  void give(long value, Callback<long> to) { contribute(sum, value + index().x, to); }
  void give_many(int rounds, Callback<int, int> to) {
    for (int round = 0; round < rounds; ++round) contribute(combine_each(max, sum), std::tuple<int, int>{round, 1}, to);
  }
  void give_both(Callback<int, std::string> to) {
    contribute(combine_each(min, Longer{}),
               std::tuple{index().x + 4, std::string(static_cast<std::size_t>(index().x), 'a')}, to);
  }
  void arrive(Callback<> to) { contribute(sum, 1, to); }
  void give_in(const Section<Part>& section, Callback<long> to) { contribute(section, sum, 1L, to); }
  void give_and_move(Callback<long> to) {
    contribute(sum, 1L, to);
    migrate_to((pe() + 1) % this_runtime().pes());
    contribute(sum, 2L, to);
  }
  void give_to_others(const std::vector<Callback<long>>& to) {
    contribute(sum, 1L, to[static_cast<std::size_t>(index().x) % to.size()]);
  }
  /// A result that all get between two that one does.
  Task<int> mix(Callback<long> to) {
    contribute(sum, 1L, to);
    const int all = co_await contribute(sum, 1);
    contribute(sum, 2L, to);
    co_return all;
  }

  template <class Archive>
  void pup(Archive&) {}
};

Task<> tell_one_element(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(11);
  const auto hearers = co_await runtime.create<Hearer>(3);
  parts.broadcast<&Part::give>(7L, callback<&Hearer::hear>(hearers[1]));
  co_await runtime.quiescence();
  CHECK_AWAITED(hearers[1].call<&Hearer::heard>(), 7 * 11 + 55);
  CHECK_AWAITED(hearers.call_all<&Hearer::times>(sum), 1);
}

Task<> tell_all_a_section_a_future(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(5);
  const auto hearers = co_await runtime.create<Hearer>(6);
  std::vector<Index> members{1, 4};
  const auto section = co_await hearers.section(std::move(members));
  auto future = runtime.future<long>();
  parts.broadcast<&Part::give>(0L, callback<&Hearer::hear>(hearers));
  parts.broadcast<&Part::give>(1L, callback<&Hearer::hear>(section));
  parts.broadcast<&Part::give>(2L, future.callback());
  CHECK_AWAITED(future, 20);
  co_await runtime.quiescence();
  CHECK_AWAITED(hearers.call_all<&Hearer::times>(sum), 8);
  CHECK_AWAITED(hearers[4].call<&Hearer::times>(), 2);
}

int function_heard = 0;
void note_sum(Runtime& runtime, long sum) {
  function_heard += static_cast<int>(sum) * 10 + static_cast<int>(runtime.pe());
}

Task<> tell_a_function(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(4);
  function_heard = 0;
  parts.broadcast<&Part::give>(1L, callback<&note_sum>(runtime.pes() - 1));
  co_await runtime.quiescence();
  CHECK(function_heard == 100 + static_cast<int>(runtime.pes()) - 1);
}

Task<> several_in_flight(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(9);
  const auto hearers = co_await runtime.create<Hearer>(1);
  auto both = runtime.future<int, std::string>();
  auto done = runtime.future<>();
  parts.broadcast<&Part::give_both>(both.callback());
  parts.broadcast<&Part::arrive>(done.callback());
  co_await done;
  const auto [least, longest] = co_await both;
  CHECK(least == 4);
  CHECK(longest == std::string(8, 'a'));
  for (int i = 0; i < 20; ++i) parts.broadcast<&Part::give>(long{1}, callback<&Hearer::hear>(hearers[0]));
  co_await runtime.quiescence();
  CHECK_AWAITED(hearers[0].call<&Hearer::times>(), 20);
  CHECK_AWAITED(hearers[0].call<&Hearer::heard>(), 9 + 36);
}

int rounds_heard = 0, counted = 0;
void note_round(int, int count) {
  ++rounds_heard;
  counted += count;
}

Task<> one_entry_many_reductions(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(7);
  rounds_heard = counted = 0;
  parts.broadcast<&Part::give_many>(30, callback<&note_round>(0));
  co_await runtime.quiescence();
  CHECK(rounds_heard == 30);
  CHECK(counted == 30 * 7);
}

Task<> of_a_section(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(9);
  std::vector<Index> members{1, 4, 8};
  const auto section = co_await parts.section(std::move(members));
  for (int round = 0; round < 3; ++round) {
    auto future = runtime.future<long>();
    section.broadcast<&Part::give_in>(section, future.callback());
    CHECK_AWAITED(future, 3);
  }
}

Task<> of_elements_that_move(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(12);
  const auto hearers = co_await runtime.create<Hearer>(1);
  for (int round = 0; round < 5; ++round) parts.broadcast<&Part::give_and_move>(callback<&Hearer::hear>(hearers[0]));
  co_await runtime.quiescence();
  CHECK_AWAITED(hearers[0].call<&Hearer::times>(), 10);
}

Task<> of_a_sparse_array(Runtime& runtime) {
  const auto parts = co_await runtime.create_sparse<Part>();
  for (int i = 0; i < 10; ++i) co_await parts[i * 3].insert_and_wait();
  for (int round = 0; round < 3; ++round) {
    auto future = runtime.future<long>();
    parts.broadcast<&Part::give>(0L, future.callback());
    CHECK_AWAITED(future, 135);
  }
}

Task<> between_results_for_all(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(6);
  const auto hearers = co_await runtime.create<Hearer>(1);
  const int all = co_await parts.call_all<&Part::mix>(min, callback<&Hearer::hear>(hearers[0]));
  CHECK(all == 6);
  co_await runtime.quiescence();
  CHECK_AWAITED(hearers[0].call<&Hearer::times>(), 2);
}

TEST_CASE("a contribution to a callback brings the result to its element, once", "[chares][contribute]") {
  run_everywhere(&tell_one_element);
}
TEST_CASE("a contribution to a callback reaches all elements, a section or a future", "[chares][contribute]") {
  run_everywhere(&tell_all_a_section_a_future);
}
TEST_CASE("a contribution to a callback reaches a function on a PE", "[chares][contribute]") {
  run_everywhere(&tell_a_function);
}
TEST_CASE("contributions to callbacks may be under way together, of nothing and of several values",
          "[chares][contribute]") {
  run_everywhere(&several_in_flight);
}
TEST_CASE("one entry may contribute to many callbacks before any has its result", "[chares][contribute]") {
  run_everywhere(&one_entry_many_reductions);
}
TEST_CASE("members of a section contribute to a callback", "[chares][contribute]") { run_everywhere(&of_a_section); }
TEST_CASE("elements that move contribute to callbacks before and after", "[chares][contribute]") {
  run_everywhere(&of_elements_that_move);
}
TEST_CASE("elements of a sparse array contribute to a callback", "[chares][contribute]") {
  run_everywhere(&of_a_sparse_array);
}
TEST_CASE("contributions to callbacks and those that are awaited keep their order", "[chares][contribute]") {
  run_everywhere(&between_results_for_all);
}

Task<> name_different_callbacks(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(4);
  const auto hearers = co_await runtime.create<Hearer>(2);
  const std::vector<Callback<long>> to{callback<&Hearer::hear>(hearers[0]), callback<&Hearer::hear>(hearers[1])};
  parts.broadcast<&Part::give_to_others>(to);
  co_await runtime.quiescence();
}

TEST_CASE("contributions of one reduction to different callbacks end the run with an error", "[chares][contribute]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{2, 2}}) {
    Scene scene(shape, default_options(), 1);
    CHECK(has(thrown<UsageError>([&] { scene.run(&name_different_callbacks); }), "different callbacks"));
  }
}

Task<> name_nothing(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(1);
  std::string said;
  try {
    co_await parts[0].call<&Part::give>(1L, Callback<long>{});
  } catch (const UsageError& error) {
    said = error.what();
  }
  CHECK(has(said, "names nothing"));
}

TEST_CASE("a contribution to a callback that names nothing is an error of who makes it", "[chares][contribute]") {
  run_everywhere(&name_nothing);
}

}  // namespace kaon::testing::callback_contributions
