// SPDX-License-Identifier: Apache-2.0
#include "examples/sample_sort/keys.hpp"
#include "tests/support/catch.hpp"

using namespace sample_sort;

TEST_CASE("sorted keys are cut where splitters are", "[sample_sort]") {
  CHECK(cuts({1, 2, 3, 5, 8}, {3, 6}) == std::vector<std::size_t>{0, 2, 4, 5});
  CHECK(cuts({1, 2, 3, 3, 8}, {3, 6}) == std::vector<std::size_t>{0, 3, 4, 5});
  CHECK(cuts({}, {3, 6}) == std::vector<std::size_t>{0, 0, 0, 0});
  CHECK(cuts({4, 5}, {}) == std::vector<std::size_t>{0, 2});
  CHECK(cuts({7, 8}, {3, 6}) == std::vector<std::size_t>{0, 0, 0, 2});
}

TEST_CASE("keys that are equal to several splitters are shared by their buckets", "[sample_sort]") {
  CHECK(cuts({2, 5, 5, 5, 5, 5, 5, 9}, {5, 5}) == std::vector<std::size_t>{0, 3, 5, 8});
  const auto places = cuts(Keys(1000, 5), Keys(9, 5));
  for (std::size_t i = 0; i + 1 < places.size(); ++i) CHECK(places[i + 1] - places[i] == 100);
}

TEST_CASE("digests of parts add up to that of the whole, which depends on the order", "[sample_sort]") {
  const Keys keys{5, 1, 4, 4};
  CHECK(digest({5, 1}, 0) + digest({4, 4}, 2) == digest(keys, 0));
  CHECK(digest({1, 5, 4, 4}, 0) != digest(keys, 0));
}

TEST_CASE("parts have all keys among them, whatever their number", "[sample_sort]") {
  const Input input{1003, 1, "uniform"};
  CHECK(input.first_of(0, 7) == 0);
  CHECK(input.first_of(7, 7) == 1003);
  for (int i = 0; i < 7; ++i) CHECK(input.first_of(i, 7) < input.first_of(i + 1, 7));
}
