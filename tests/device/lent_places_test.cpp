// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/lent_places.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using gpu::NoticeBoard;

/// What the first of two PEs lends to the other one, whose board is here.
struct Subject {
  static constexpr PeId kBorrower = 1;
  DeviceScene scene{DeviceSceneSettings{}};
  gpu::Device& device = scene.device(0);
  gpu::SlabPlaces slabs{device, scene.payloads(0).platform().segments()};
  std::unique_ptr<std::byte[]> memory = std::make_unique<std::byte[]>(NoticeBoard::kBytes);
  NoticeBoard board{memory.get()};
  std::unique_ptr<gpu::LentPlaces> places;

  Subject() {
    by_pe([this] {
      places = std::make_unique<gpu::LentPlaces>(device, slabs, scene.payloads(0).platform().shared_flags());
    });
  }
  ~Subject() {
    by_pe([this] { places.reset(); });
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  template <class Function>
  void by_pe(Function function) {
    scene.network().on(0, [&](Pe&) { function(); });
  }
  void fetched(std::size_t bytes = 64, int times = 1) {
    by_pe([&] {
      for (int i = 0; i < times; ++i) places->note_fetched(kBorrower, board, bytes);
    });
  }
  /// How many places for so many bytes the other one finds, which are not lent any more then.
  std::vector<std::uint32_t> borrowed(std::size_t bytes = 64) {
    std::vector<std::uint32_t> numbers;
    while (const auto place = board.take_place(0, bytes)) {
      numbers.push_back(place->number);
      come = place->come;
    }
    return numbers;
  }
  /// The other one has put something into the place that it found last.
  void raise() { *scene.payloads(0).platform().shared_flags().open(come) = 1; }
  /// What the other one has put there is copied out of it.
  void end(std::uint32_t number) {
    by_pe([&] { places->end(number); });
  }
  /// How many payloads were fetched until a place was lent; all are small.
  int until_lent() {
    int count = 0;
    std::vector<std::uint32_t> numbers;
    for (; numbers.empty() && count < 1000; ++count) {
      fetched();
      numbers = borrowed();
    }
    last = numbers.empty() ? 0 : numbers.front();
    return count;
  }
  std::size_t used_bytes() {
    std::size_t used = 0;
    by_pe([&] {
      device.memory().pool().flush();
      used = device.memory().pool().arena().facts().used_bytes;
    });
    return used;
  }

  std::uint32_t last = 0;
  gpu::SharedFlagPlace come;
};

}  // namespace

TEST_CASE("for each payload that had to be fetched a place is lent, up to so many", "[device][carried]") {
  Subject subject;
  CHECK(subject.borrowed().empty());
  subject.fetched();
  CHECK(subject.borrowed().size() == 1);
  subject.fetched(64, 40);
  std::vector<std::uint32_t> numbers = subject.borrowed();
  CHECK(numbers.size() == 15);
  CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
  CHECK(subject.device.regions().find(subject.places->block(numbers[0]).data)->is_exported);
}

TEST_CASE("who sends to receivers that choose their memory is lent ever less, until one does not",
          "[device][carried]") {
  Subject subject;
  CHECK(subject.until_lent() == 1);
  for (const int wanted : {2, 3, 5, 9, 17, 33, 65, 65, 65}) {
    subject.end(subject.last);
    CHECK(subject.until_lent() == wanted);
  }
  subject.by_pe([&] { subject.places->lend_again(subject.last, subject.board); });
  CHECK(subject.borrowed() == std::vector{subject.last});
  subject.end(subject.last);
  CHECK(subject.until_lent() == 2);
}

TEST_CASE("places that came back are lent again, as often as there are payloads", "[device][carried]") {
  Subject subject;
  subject.until_lent();
  const std::size_t used = subject.used_bytes();
  for (int i = 0; i < 40; ++i) {
    subject.by_pe(
        [&] { subject.places->lend_again(subject.last, subject.board); });  // so that it is not waited for long
    subject.borrowed();
    subject.end(subject.last);
    CHECK(subject.until_lent() == 2);
  }
  CHECK(subject.used_bytes() == used);
}

TEST_CASE("places that are too small make room for larger ones", "[device][carried]") {
  Subject subject;
  subject.fetched(64, 16);
  const std::size_t used = subject.used_bytes();
  subject.fetched(64);
  CHECK(subject.used_bytes() == used);
  subject.fetched(4096);
  CHECK(subject.places->lent() == 16);
  CHECK(subject.borrowed(4096).size() == 1);
  subject.fetched(4096, 15);
  CHECK(subject.places->lent() == 16);
  CHECK(subject.used_bytes() == used);  // one piece of memory for the large ones instead of one for the others
  CHECK(subject.borrowed().size() == 15);
}

TEST_CASE("what finds no room on the board is not lent, nor lent again", "[device][carried]") {
  Subject subject;
  subject.until_lent();
  const std::uint32_t number = subject.last;
  for (std::size_t i = 0; i < NoticeBoard::kPlaces; ++i) REQUIRE(subject.board.lend(7, 64, {}));  // by another PE
  CHECK(subject.places->lent() == 1);
  const std::size_t used = subject.used_bytes();
  subject.fetched();
  CHECK(subject.places->lent() == 1);
  CHECK(subject.used_bytes() == used);
  subject.by_pe([&] { subject.places->lend_again(number, subject.board); });
  CHECK(subject.places->lent() == 0);
  CHECK(subject.used_bytes() < used);
}

TEST_CASE("what was lent comes back in the end", "[device][carried]") {
  Subject subject;
  const std::size_t used = subject.used_bytes();
  subject.fetched(64, 3);
  CHECK(subject.used_bytes() > used);
  subject.by_pe([&] { subject.places.reset(); });
  CHECK(subject.used_bytes() == used);
}

TEST_CASE("a place that is lent again is as empty as at first", "[device][carried]") {
  Subject subject;
  subject.until_lent();
  const std::uint32_t number = subject.last;
  CHECK_FALSE(subject.places->has_come(number));
  subject.raise();
  CHECK(subject.places->has_come(number));
  subject.by_pe([&] { subject.places->lend_again(number, subject.board); });
  CHECK_FALSE(subject.places->has_come(number));
}

TEST_CASE("a payload that is announced where nothing was lent for it is an error", "[device][carried]") {
  Subject subject;
  subject.until_lent();
  const std::uint32_t number = subject.last;
  const std::size_t bytes = subject.places->block(number).bytes;
  CHECK_NOTHROW(subject.places->check(number, Subject::kBorrower, bytes));
  CHECK_THROWS_AS(subject.places->check(number, Subject::kBorrower, bytes + 1), CorruptMessage);
  CHECK_THROWS_AS(subject.places->check(number, Subject::kBorrower + 1, bytes), CorruptMessage);
  CHECK_THROWS_AS(subject.places->check(number + 1, Subject::kBorrower, bytes), CorruptMessage);
  subject.end(number);
  CHECK_THROWS_AS(subject.places->check(number, Subject::kBorrower, bytes), CorruptMessage);
}

}  // namespace kaon::testing
