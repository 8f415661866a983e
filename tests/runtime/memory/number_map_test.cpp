// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/memory/number_map.hpp"

#include <map>
#include <utility>

#include "tests/support/catch.hpp"

using namespace kaon::runtime;

namespace {

std::map<std::uint64_t, int*> all_of(const NumberMap<int*>& numbers) {
  std::map<std::uint64_t, int*> all;
  numbers.each([&](std::uint64_t number, int* value) { CHECK(all.emplace(number, value).second); });
  return all;
}

}  // namespace

TEST_CASE("a map by numbers that nothing was put into has nothing", "[runtime][number_map]") {
  NumberMap<int*> numbers;
  CHECK(numbers.empty());
  CHECK(numbers.size() == 0);
  CHECK_FALSE(numbers.contains(0));
  CHECK_FALSE(numbers.find(7));
  CHECK_FALSE(numbers.erase(7));
  CHECK(all_of(numbers).empty());
}

TEST_CASE("each number leads to what was put there last, nullptr too", "[runtime][number_map]") {
  int values[2] = {};
  NumberMap<int*> numbers;
  numbers.set(0, &values[0]);
  numbers.set(~std::uint64_t{0}, nullptr);
  numbers.set(0, &values[1]);
  CHECK(numbers.find(0) == &values[1]);
  CHECK(numbers.find(~std::uint64_t{0}) == nullptr);
  CHECK(numbers.contains(~std::uint64_t{0}));
  CHECK_FALSE(numbers.contains(1));
  CHECK(all_of(numbers) == std::map<std::uint64_t, int*>{{0, &values[1]}, {~std::uint64_t{0}, nullptr}});
}

TEST_CASE("a map by numbers counts what it has, though numbers are set twice and erased in vain",
          "[runtime][number_map]") {
  NumberMap<std::uint64_t> numbers;
  numbers.set(3, 30);
  numbers.set(3, 31);
  numbers.set(4, 40);
  CHECK(numbers.size() == 2);
  CHECK_FALSE(numbers.erase(5));
  CHECK(numbers.size() == 2);
  CHECK(numbers.erase(3));
  CHECK_FALSE(numbers.erase(3));
  CHECK(numbers.size() == 1);
  CHECK(numbers.any() == 40);
  CHECK(numbers.erase(4));
  CHECK(numbers.empty());
  CHECK_FALSE(numbers.find(4));
}

TEST_CASE("a map by numbers that is taken out to its last may be filled again", "[runtime][number_map]") {
  NumberMap<std::uint64_t> numbers;
  for (std::uint64_t round = 0; round < 3; ++round) {
    for (std::uint64_t number = 0; number < 100; ++number) numbers.set(number, number + round);
    std::uint64_t sum = 0;
    while (!numbers.empty()) {
      const std::uint64_t value = numbers.any();
      sum += value;
      REQUIRE(numbers.erase(value - round));
    }
    CHECK(sum == 4950 + 100 * round);
  }
}

TEST_CASE("a map by numbers finds each of those that come and go beside others", "[runtime][number_map]") {
  NumberMap<std::uint64_t> numbers;
  std::map<std::uint64_t, std::uint64_t> model;
  std::uint64_t state = 1;
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const std::uint64_t number = (state >> 33) % 5;
    if ((state >> 40) % 2 == 0) {
      numbers.set(number, step);
      model[number] = step;
    } else {
      REQUIRE(numbers.erase(number) == (model.erase(number) == 1));
    }
    REQUIRE(numbers.size() == model.size());
    std::map<std::uint64_t, std::uint64_t> all;
    numbers.each([&](std::uint64_t each, std::uint64_t value) { REQUIRE(all.emplace(each, value).second); });
    REQUIRE(all == model);
    for (std::uint64_t each = 0; each < 5; ++each) REQUIRE(numbers.contains(each) == model.contains(each));
    if (model.contains(number)) REQUIRE(numbers.find(number) == model[number]);
  }
}

TEST_CASE("what a table by numbers was moved out of is empty, and may be used again", "[runtime][number_map]") {
  NumberTable first;
  first.set(1, 10);
  NumberTable second = std::move(first);
  CHECK(second.size() == 1);
  CHECK(first.empty());  // NOLINT: that is what it promises
  CHECK(first.find(1) == nullptr);
  first.set(2, 20);
  first.set(3, 30);
  second = std::move(first);
  CHECK(second.size() == 2);
  CHECK(second.find(1) == nullptr);
  REQUIRE(second.find(3) != nullptr);
  CHECK(*second.find(3) == 30);
  CHECK(first.empty());  // NOLINT
  CHECK_FALSE(first.erase(3));
}
