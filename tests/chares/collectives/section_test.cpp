// SPDX-License-Identifier: Apache-2.0
// Sections of arrays: what is sent to their members, and reductions over them, while members move and go.
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::sections {

constexpr int kCount = 60;
std::vector<int> got;  // by element, how often it ran
void reset() { got.assign(kCount, 0); }

class Cell : public Chare<Cell> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(value_);
  }

  void take(std::string text) {
    CHECK(text == "to some");
    ++got[static_cast<std::size_t>(index().x)];
  }
  int place() const { return index().x; }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }
  void fail_first() const {
    if (index().x == 0) throw std::domain_error("the first fails");
  }
  Task<int> add_up(Section<Cell> section, int times) {
    int all = 0;
    for (int i = 0; i < times; ++i) {
      all = co_await contribute(section, sum, index().x + i);
      value_ += all;
    }
    co_return all;
  }
  Task<int> add_up_all() { co_return co_await contribute(sum, 1); }

 private:
  int value_ = 0;
};

std::vector<Index> every_third() {
  std::vector<Index> members;
  for (int i = kCount - 1; i >= 0; --i)
    if (i % 3 == 0) members.push_back(i);
  return members;
}
constexpr int kMembers = kCount / 3, kSum = 3 * (kMembers - 1) * kMembers / 2;

Task<> reach_members(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  auto members = every_third();
  members.push_back(0);  // again
  const Section<Cell> third = co_await cells.section(members);
  CHECK(third.size() == kMembers);
  third.broadcast<&Cell::take>("to some");
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; ++i) CHECK(got[static_cast<std::size_t>(i)] == (i % 3 == 0 ? 1 : 0));
  const int total = co_await third.call_all<&Cell::place>(sum);
  CHECK(total == kSum);
  const int most = co_await third.call_all<&Cell::add_up>(max, third, 3);
  CHECK(most == kSum + 2 * kMembers);
  const int all = co_await cells.call_all<&Cell::add_up_all>(max);  // beside it
  CHECK(all == kCount);
  const int again = co_await third.call_all<&Cell::add_up>(max, third, 1);
  CHECK(again == kSum);
}

/// Members move while messages for them are under way, and some of them between contributions.
Task<> reach_moving_members(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const Section<Cell> third = co_await cells.section(every_third());
  const PeId pes = runtime.pes();
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = round % 2; i < kCount; i += 2) cells[i].send<&Cell::go>(static_cast<PeId>(i * 7 + round * 5) % pes);
    third.broadcast<&Cell::take>("to some");
    const int total = co_await third.call_all<&Cell::place>(sum);
    CHECK(total == kSum);
    for (int i = round % 2; i < kCount; i += 2) cells[i].send<&Cell::go>(static_cast<PeId>(i + round) % pes);
    const int least = co_await third.call_all<&Cell::add_up>(min, third, 2);
    CHECK(least == kSum + kMembers);
  }
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; ++i) CHECK(got[static_cast<std::size_t>(i)] == (i % 3 == 0 ? kRounds : 0));
}

/// Several sections at once, some with elements in common, of a sparse array and of a group.
Task<> keep_apart(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < 9; ++i) co_await cells[i].insert_and_wait();
  const std::vector<Index> of_low{0, 1, 2, 3, 4}, of_high{4, 5, 6, 7, 8};
  const auto low = co_await cells.section(of_low);
  const auto high = co_await cells.section(of_high);
  CHECK(low.number() != high.number());
  const auto [a, b] =
      co_await all(low.call_all<&Cell::add_up>(max, low, 2), high.call_all<&Cell::add_up>(max, high, 1));
  CHECK(a == 15);
  CHECK(b == 30);
  const auto group = co_await runtime.create_group<Cell>();
  const PeId last = runtime.pes() - 1;
  const std::vector<Index> members{0, static_cast<int>(last)};
  const auto ends = co_await group.section(members);
  const int both = co_await ends.call_all<&Cell::place>(sum);
  CHECK(both == static_cast<int>(last));
}

Task<> pass_over_the_deleted(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  for (int i = 0; i < kCount; i += 6) {
    cells[i].send<&Cell::go>(static_cast<PeId>(i) % runtime.pes());
    cells[i].send<&Cell::end>();
  }
  static_cast<void>(co_await third.call_all<&Cell::place>(sum));  // meanwhile: some of them
  co_await runtime.quiescence();
  const int total = co_await third.call_all<&Cell::place>(sum);
  CHECK(total == kSum - 6 * (kMembers / 2 - 1) * (kMembers / 2) / 2);
}

/// Who is inserted anew is no member.
Task<> pass_over_the_ended(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < kCount; i += 3) co_await cells[i].insert_and_wait();
  const auto third = co_await cells.section(every_third());
  for (int i = 0; i < kCount; i += 6) cells[i].send<&Cell::end>();
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; i += 6) co_await cells[i].insert_and_wait();
  third.broadcast<&Cell::take>("to some");
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; ++i) CHECK(got[static_cast<std::size_t>(i)] == (i % 6 == 3 ? 1 : 0));
}

/// The others have contributed when it ends.
Task<> lose_a_member_late(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  for (int i = 0; i < kCount; i += 3)
    if (i != 3) cells[i].send<&Cell::add_up>(third, 1);
  static_cast<void>(co_await third.call_all<&Cell::place>(sum));  // behind those
  cells[3].send<&Cell::end>();
  static_cast<void>(co_await cells[0].call<&Cell::add_up_all>());
}

Task<> reduce_without_a_member(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  cells[3].send<&Cell::end>();
  co_await runtime.quiescence();
  static_cast<void>(co_await third.call_all<&Cell::add_up>(max, third, 1));
}

Task<> contribute_as_a_stranger(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  static_cast<void>(co_await cells[1].call<&Cell::add_up>(third, 1));
}

Task<> make_one_of_nothing(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  static_cast<void>(co_await cells.section(std::vector<Index>()));
}

Task<> use_after_destroy(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  third.destroy();
  co_await runtime.quiescence();
  third.broadcast<&Cell::take>("to some");
  co_await runtime.quiescence();
}

/// The exception comes as soon as one has failed; the others have not all been asked then.
Task<> destroy_after_a_failure(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  bool has_failed = false;
  try {
    co_await third.call_all_and_wait<&Cell::fail_first>();
  } catch (const std::domain_error&) {
    has_failed = true;
  }
  CHECK(has_failed);
  third.destroy();
  co_await runtime.quiescence();
}

Task<> call_after_destroy(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto third = co_await cells.section(every_third());
  third.destroy();
  co_await runtime.quiescence();
  static_cast<void>(co_await third.call_all<&Cell::place>(sum));
}

}  // namespace kaon::testing::sections

namespace ts = kaon::testing::sections;
using kaon::testing::Scene;

TEST_CASE("what is sent to a section reaches its members", "[chares][section]") {
  kaon::testing::run_everywhere(ts::reach_members, ts::reset);
}

TEST_CASE("members of a section are reached exactly once while they move", "[chares][section]") {
  kaon::testing::run_everywhere(ts::reach_moving_members, ts::reset);
}

TEST_CASE("sections of one array keep apart", "[chares][section]") {
  kaon::testing::run_everywhere(ts::keep_apart, ts::reset);
}

TEST_CASE("a section passes over members that were deleted", "[chares][section]") {
  kaon::testing::run_everywhere(ts::pass_over_the_deleted, ts::reset);
}

TEST_CASE("a section of a sparse array passes over members that ended, and who has their indices now",
          "[chares][section]") {
  kaon::testing::run_everywhere(ts::pass_over_the_ended, ts::reset);
}

TEST_CASE("a section may be destroyed after a call that has failed", "[chares][section]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    Scene({4, 2}, kaon::testing::default_options(), seed).run(ts::destroy_after_a_failure);
}

TEST_CASE("misuse of a section is told", "[chares][section]") {
  ts::reset();
  const auto says = [](Scene::MainTask task, const char* text) {
    Scene scene({2, 2});
    const std::string said = kaon::testing::thrown<kaon::UsageError>([&] { scene.run(std::move(task)); });
    INFO(said);
    CHECK(kaon::testing::has(said, text));
  };
  says(ts::reduce_without_a_member, "members of a section");
  says(ts::lose_a_member_late, "members of a section");
  says(ts::contribute_as_a_stranger, "is no member of this section");
  says(ts::make_one_of_nothing, "section of nothing");
  says(ts::use_after_destroy, "section was used that was destroyed");
  says(ts::call_after_destroy, "its section was destroyed before all had been asked");
}
