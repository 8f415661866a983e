// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include <kaon/kaon.hpp>

#include "kaon/gpu/engines/notice_boards.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace kaon::gpu;

namespace {

constexpr kaon::PeId kMaker = 1, kOther = 5, kThird = 6;

/// The boards of two processes of two PEs; the maker is the second PE of the first process.
struct Subject {
  std::unique_ptr<Driver> driver = make_host_driver({});
  NoticeBoards mine{*driver, 2}, theirs{*driver, 2};
  NoticeBoard maker = mine.own(kMaker);
  NoticeBoard other = [this] {
    theirs.meet([this](int) { return mine.address(); });
    return theirs.of(0, kMaker);
  }();
};

PayloadNotice notice_of(std::uint64_t bytes) {
  PayloadNotice notice;
  notice.bytes = bytes;
  return notice;
}

LentPlace place_of(std::uint32_t number) {
  LentPlace place;
  place.number = number;
  return place;
}

}  // namespace

TEST_CASE("a notice is found by its receiver and its number, once", "[device][carried]") {
  Subject subject;
  CHECK_FALSE(subject.other.take(kOther, 0));
  REQUIRE(subject.maker.post(kOther, 0, notice_of(10)));
  REQUIRE(subject.maker.post(kThird, 1, notice_of(11)));
  CHECK_FALSE(subject.other.take(kThird, 0));
  CHECK_FALSE(subject.other.take(kOther, 1));
  CHECK_FALSE(subject.theirs.of(0, 0).take(kOther, 0));  // of the other PE
  const auto first = subject.other.take(kOther, 0), second = subject.other.take(kThird, 1);
  REQUIRE((first && second));
  CHECK(first->bytes == 10);
  CHECK(second->bytes == 11);
  CHECK(first->lent == PayloadNotice::kNowhere);
  CHECK_FALSE(subject.other.take(kOther, 0));
}

TEST_CASE("notices whose first choice is taken are found elsewhere", "[device][carried]") {
  Subject subject;
  const std::uint32_t around = NoticeBoard::kNotices;
  const std::uint32_t numbers[] = {around - 1, 2 * around - 1, 3 * around - 1, 0, 0xffff'ffffU};
  for (const std::uint32_t number : numbers) REQUIRE(subject.maker.post(kOther, number, notice_of(number)));
  REQUIRE(subject.other.take(kOther, numbers[0]));  // makes a gap before the others
  for (const std::uint32_t number : {numbers[3], numbers[1], numbers[4], numbers[2]}) {
    const auto found = subject.other.take(kOther, number);
    REQUIRE(found);
    CHECK(found->bytes == number);
  }
}

TEST_CASE("a full board takes a notice when one was taken away", "[device][carried]") {
  Subject subject;
  for (std::uint32_t i = 0; i < NoticeBoard::kNotices; ++i) REQUIRE(subject.maker.post(kOther, i, notice_of(i)));
  CHECK_FALSE(subject.maker.post(kOther, 5000, notice_of(5000)));
  REQUIRE(subject.other.take(kOther, 77));
  REQUIRE(subject.maker.post(kOther, 5000, notice_of(5000)));
  const auto found = subject.other.take(kOther, 5000);
  REQUIRE(found);
  CHECK(found->bytes == 5000);
}

TEST_CASE("a notice that is still read is not found by a later payload of the same number", "[device][carried]") {
  using State = NoticeBoard::State;
  Subject subject;
  const auto number = subject.maker.post(kOther, 7, notice_of(10));
  REQUIRE(number);
  REQUIRE(subject.other.claim(kOther, 7));
  CHECK_FALSE(subject.other.claim(kOther, 7));
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::posted);
  REQUIRE(subject.maker.post(kOther, 7, notice_of(11)));
  const auto later = subject.other.take(kOther, 7);
  REQUIRE(later);
  CHECK(later->bytes == 11);
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::posted);
  subject.other.take_away(*number);
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::taken_away);
}

TEST_CASE("a notice that its receiver keeps has its place until it is taken away", "[device][carried]") {
  using State = NoticeBoard::State;
  Subject subject;
  const auto number = subject.maker.post(kOther, 7, notice_of(10));
  REQUIRE(number);
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::posted);
  const auto found = subject.other.claim(kOther, 7);
  REQUIRE(found);
  CHECK(found->number == *number);
  subject.other.keep(found->number);
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::kept);
  CHECK_FALSE(subject.other.claim(kOther, 7));
  const auto next = subject.maker.post(kOther, 7 + NoticeBoard::kNotices, notice_of(11));
  REQUIRE(next);
  CHECK(*next != *number);
  subject.other.take_away(found->number);
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::taken_away);
  CHECK(subject.maker.post(kThird, 7, notice_of(12)) == number);
  CHECK(subject.maker.state_of(*number, kOther, 7) == State::taken_away);  // another one is there
}

TEST_CASE("a PE's doorbell is rung by all that others do for it", "[device][carried]") {
  Subject subject;
  std::uint32_t before = subject.maker.doorbell();
  const auto has_rung = [&] { return std::exchange(before, subject.maker.doorbell()) != subject.maker.doorbell(); };
  const auto first = subject.maker.post(kOther, 7, notice_of(10));
  const auto second = subject.maker.post(kOther, 8, notice_of(10));
  REQUIRE((first && second));
  CHECK_FALSE(has_rung());  // the maker knows
  CHECK_FALSE(subject.other.claim(kThird, 7));
  CHECK_FALSE(has_rung());
  subject.other.keep(*first);
  CHECK(has_rung());
  subject.other.take_away(*first);
  CHECK(has_rung());
  REQUIRE(subject.other.take(kOther, 8));
  CHECK(has_rung());
  subject.other.ring();  // of a notice on the other's board
  CHECK(has_rung());
  CHECK_FALSE(has_rung());
}

TEST_CASE("the smallest place is taken that a PE has lent and that is large enough", "[device][carried]") {
  Subject subject;
  CHECK_FALSE(subject.maker.take_place(kOther, 1));
  REQUIRE(subject.other.lend(kOther, 4096, place_of(1)));
  REQUIRE(subject.other.lend(kOther, 256, place_of(2)));
  REQUIRE(subject.other.lend(kThird, 64, place_of(3)));
  REQUIRE(subject.other.lend(kOther, 1024, place_of(4)));
  CHECK_FALSE(subject.maker.take_place(kOther, 4097));
  CHECK_FALSE(subject.maker.take_place(kOther + 2, 8));
  CHECK(subject.maker.take_place(kOther, 256)->number == 2);
  CHECK(subject.maker.take_place(kOther, 257)->number == 4);
  CHECK(subject.maker.take_place(kOther, 8)->number == 1);
  CHECK_FALSE(subject.maker.take_place(kOther, 8));
  CHECK(subject.maker.take_place(kThird, 8)->number == 3);
}

TEST_CASE("after a crowd searches for notices become short again", "[device][carried]") {
  Subject subject;
  const std::uint32_t around = NoticeBoard::kNotices;
  for (std::uint32_t i = 0; i < 10; ++i) REQUIRE(subject.maker.post(kOther, 7 + i * around, notice_of(i)));
  CHECK(subject.maker.widest_search() == 9);
  for (std::uint32_t i = 0; i < 8; ++i) REQUIRE(subject.other.take(kOther, 7 + i * around));
  REQUIRE(subject.maker.post(kOther, 10 * around, notice_of(20)));
  REQUIRE(subject.other.take(kOther, 9 * around + 7));  // the last ones are still found
  REQUIRE(subject.other.take(kOther, 8 * around + 7));
  REQUIRE(subject.maker.post(kOther, 11 * around, notice_of(21)));
  CHECK(subject.maker.widest_search() == 1);
  for (const std::uint32_t round : {11U, 10U}) REQUIRE(subject.other.take(kOther, round * around));
  REQUIRE(subject.maker.post(kOther, 12 * around, notice_of(22)));
  CHECK(subject.maker.widest_search() == 0);
}

TEST_CASE("a board has room for so many places, and for more when some were taken", "[device][carried]") {
  Subject subject;
  std::set<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < NoticeBoard::kPlaces; ++i) REQUIRE(subject.other.lend(kOther + i % 2, 64, place_of(i)));
  CHECK_FALSE(subject.other.lend(kOther, 64, place_of(1000)));
  CHECK(numbers.insert(subject.maker.take_place(kThird, 64)->number).second);
  REQUIRE(subject.other.lend(kOther, 64, place_of(1000)));
  for (std::uint32_t i = 0; i <= NoticeBoard::kPlaces / 2; ++i)
    CHECK(numbers.insert(subject.maker.take_place(kOther, 1)->number).second);
  CHECK(numbers.count(1000) == 1);
}

TEST_CASE("a place that is too small is withdrawn by who has lent it, the smallest first", "[device][carried]") {
  Subject subject;
  CHECK_FALSE(subject.other.withdraw(kOther, 4096));
  REQUIRE(subject.other.lend(kOther, 1024, place_of(1)));
  REQUIRE(subject.other.lend(kOther, 256, place_of(2)));
  REQUIRE(subject.other.lend(kThird, 64, place_of(3)));
  CHECK_FALSE(subject.other.withdraw(kOther, 256));
  CHECK(subject.other.withdraw(kOther, 4096) == 2U);
  CHECK(subject.maker.take_place(kOther, 8)->number == 1);
  CHECK_FALSE(subject.other.withdraw(kOther, 4096));
  CHECK(subject.maker.take_place(kThird, 64)->number == 3);
}

TEST_CASE("boards of a process that cannot be opened are an error that says what to do", "[device][carried]") {
  Subject subject;
  NoticeBoards lost{*subject.driver, 2};
  lost.meet([](int) { return SharedMapping::Address{}; });
  CHECK(has(thrown<kaon::UsageError>([&] { lost.of(0, 0); }), "KAON_CARRY_UP_TO=0"));
}
