// SPDX-License-Identifier: Apache-2.0
// Operations of reductions against results that are found without them, by call_all and by contribute.
#include <bitset>
#include <cmath>
#include <list>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::more_operations {

constexpr int kCount = 23;

/// The number of each element: any, and the same on all PEs.
int number(int index) { return static_cast<int>(std::minstd_rand(static_cast<unsigned>(index + 1))() % 1000); }

template <class Step>
long of_all(long first, Step step) {
  long result = first;
  for (int i = 0; i < kCount; ++i) result = step(result, number(i));
  return result;
}

using Found = Located<int>;
using Parts = std::tuple<int, double, std::vector<int>>;
using Placed = std::vector<std::pair<int, std::string>>;

class Giver : public Chare<Giver> {
 public:
  int own() const { return number(index().x); }
  bool is_small() const { return own() < 900; }
  std::vector<bool> flags() const { return {own() % 2 == 0, own() < 2000, own() > 2000}; }
  std::bitset<10> bits() const { return std::bitset<10>(static_cast<unsigned>(own())); }
  std::string letter() const { return std::string(1, static_cast<char>('a' + index().x)); }
  std::vector<int> several() const { return std::vector<int>(static_cast<std::size_t>(index().x % 4), own()); }
  std::list<int> list() const { return {own()}; }
  Placed placed() const { return {{index().x, std::to_string(own())}}; }
  std::set<int> digits() const { return {own() % 10, own() / 10 % 10}; }
  std::unordered_set<int> hashed() const { return {own() % 10, own() / 10 % 10}; }
  std::map<int, int> by_index() const { return {{index().x, own()}, {-1, 5}}; }
  std::unordered_map<int, int> by_digit() const { return {{own() % 10, 1}}; }
  std::map<int, int> conflict() const { return {{0, index().x}}; }
  Found found() const { return {own() / 100, index()}; }
  Parts parts() const { return {own(), 0.5 * own(), several_of_two()}; }
  std::pair<int, int> low_high() const { return {own(), own()}; }
  Statistics measured() const { return Statistics(1e9 + own()); }

  Task<int> meet() {
    const Placed all = co_await contribute(merge_in_order, placed());
    const bool is_one = co_await contribute(logical_and, is_small());
    const Found least = co_await contribute(min_location, found());
    const Statistics seen = co_await contribute(statistics, measured());
    const auto both = co_await contribute(combine_each(min, max), low_high());
    bool is_right = all.size() == kCount && seen.count() == kCount && both.first == of_all(1000, least_of);
    for (int i = 0; is_right && i < kCount; ++i)
      is_right = all[static_cast<std::size_t>(i)].first == i &&
                 all[static_cast<std::size_t>(i)].second == std::to_string(number(i));
    co_return is_right&& is_one == (of_all(0, most_of) < 900) && least.value == both.first / 100 ? 0 : 1;
  }

  static long least_of(long a, long b) { return a < b ? a : b; }
  static long most_of(long a, long b) { return a > b ? a : b; }

 private:
  std::vector<int> several_of_two() const { return {own(), -own()}; }
};

Task<> logical_ones(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  const auto count = [](auto is) {
    int count = 0;
    for (int i = 0; i < kCount; ++i) count += is(number(i));
    return count;
  };
  const int even = count([](int n) { return n % 2 == 0; }), small = count([](int n) { return n < 900; });
  CHECK((even > 0 && even < kCount));  // else the test could not tell
  CHECK_AWAITED(all.call_all<&Giver::is_small>(logical_and), (small == kCount));
  CHECK_AWAITED(all.call_all<&Giver::is_small>(logical_or), (small > 0));
  CHECK_AWAITED(all.call_all<&Giver::is_small>(logical_xor), (small % 2 == 1));
  const std::vector<bool> every = co_await all.call_all<&Giver::flags>(logical_and);
  const std::vector<bool> some = co_await all.call_all<&Giver::flags>(logical_or);
  const std::vector<bool> odd = co_await all.call_all<&Giver::flags>(logical_xor);
  CHECK(every == std::vector<bool>{false, true, false});
  CHECK(some == std::vector<bool>{true, true, false});
  CHECK(odd == std::vector<bool>{even % 2 == 1, kCount % 2 == 1, false});
}

Task<> bitwise_ones(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  CHECK_AWAITED(all.call_all<&Giver::own>(bitwise_and), of_all(~0L, [](long a, long b) { return a & b; }));
  CHECK_AWAITED(all.call_all<&Giver::own>(bitwise_or), of_all(0, [](long a, long b) { return a | b; }));
  CHECK_AWAITED(all.call_all<&Giver::own>(bitwise_xor), of_all(0, [](long a, long b) { return a ^ b; }));
  const std::bitset<10> bits = co_await all.call_all<&Giver::bits>(bitwise_xor);
  CHECK(bits.to_ulong() == static_cast<unsigned long>(of_all(0, [](long a, long b) { return a ^ b; })));
}

Task<> sequences(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  std::string letters = co_await all.call_all<&Giver::letter>(concatenate);
  std::sort(letters.begin(), letters.end());
  CHECK(letters == std::string("abcdefghijklmnopqrstuvwxyz").substr(0, kCount));

  std::vector<int> several = co_await all.call_all<&Giver::several>(concatenate), expected;
  for (int i = 0; i < kCount; ++i) expected.insert(expected.end(), static_cast<std::size_t>(i % 4), number(i));
  std::sort(several.begin(), several.end());
  std::sort(expected.begin(), expected.end());
  CHECK(several == expected);
  const std::list<int> list = co_await all.call_all<&Giver::list>(concatenate);
  CHECK(list.size() == kCount);

  const Placed placed = co_await all.call_all<&Giver::placed>(merge_in_order);
  Placed in_order;
  for (int i = 0; i < kCount; ++i) in_order.emplace_back(i, std::to_string(number(i)));
  CHECK(placed == in_order);
  const std::list<int> sorted = co_await all.call_all<&Giver::list>(merge_in_order);
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  CHECK(sorted.size() == kCount);
}

Task<> unions(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  std::set<int> digits;
  std::map<int, int> by_index{{-1, 5}};
  std::unordered_map<int, int> by_digit;
  for (int i = 0; i < kCount; ++i) {
    digits.insert({number(i) % 10, number(i) / 10 % 10});
    by_index[i] = number(i);
    ++by_digit[number(i) % 10];
  }
  CHECK_AWAITED(all.call_all<&Giver::digits>(unite), digits);
  const std::unordered_set<int> hashed = co_await all.call_all<&Giver::hashed>(unite);
  CHECK(std::set<int>(hashed.begin(), hashed.end()) == digits);
  CHECK_AWAITED(all.call_all<&Giver::by_index>(unite), by_index);
  CHECK_AWAITED(all.call_all<&Giver::by_digit>(unite_by(sum)), by_digit);
  std::string text;
  try {
    (void)co_await all.call_all<&Giver::conflict>(unite);
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(has(text, "different values of one key"));
  const std::map<int, int> combined = co_await all.call_all<&Giver::conflict>(unite_by(max));
  CHECK(combined == std::map<int, int>{{0, kCount - 1}});
}

Task<> combined_ones(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  Found least{1000, {}}, most{-1, {}};
  for (int i = 0; i < kCount; ++i) {
    if (number(i) / 100 < least.value) least = {number(i) / 100, Index(i)};
    if (number(i) / 100 > most.value) most = {number(i) / 100, Index(i)};
  }
  CHECK_AWAITED(all.call_all<&Giver::found>(min_location), least);
  CHECK_AWAITED(all.call_all<&Giver::found>(max_location), most);

  const auto [total, greatest, both] = co_await all.call_all<&Giver::parts>(combine_each(sum, max, min));
  const int most_number = static_cast<int>(of_all(0, Giver::most_of));
  CHECK(total == of_all(0, [](long a, long b) { return a + b; }));
  CHECK(greatest == 0.5 * most_number);
  CHECK(both == std::vector<int>{static_cast<int>(of_all(1000, Giver::least_of)), -most_number});
  const std::pair<int, int> range = co_await all.call_all<&Giver::low_high>(combine_each(min, max));
  CHECK(range == std::pair<int, int>(both[0], most_number));
}

Task<> measured_ones(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  const Statistics seen = co_await all.call_all<&Giver::measured>(statistics);
  const double mean = static_cast<double>(of_all(0, [](long a, long b) { return a + b; })) / kCount;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) squares += (number(i) - mean) * (number(i) - mean);
  CHECK(seen.count() == kCount);
  CHECK(std::abs(seen.mean() - 1e9 - mean) < 1e-5);
  CHECK(std::abs(seen.variance() - squares / kCount) <
        1e-3);  // the naive sum of squares loses 5 digits before the point
  CHECK(std::abs(seen.sample_variance() - squares / (kCount - 1)) < 1e-3);
  CHECK(std::abs(seen.deviation() - std::sqrt(squares / kCount)) < 1e-3);
  CHECK(seen.min() == 1e9 + static_cast<double>(of_all(1000, Giver::least_of)));
  CHECK(seen.max() == 1e9 + static_cast<double>(of_all(0, Giver::most_of)));
}

Task<> contributions(Runtime& runtime) {
  const auto all = co_await runtime.create<Giver>(kCount);
  CHECK_AWAITED(all.call_all<&Giver::meet>(sum), 0);
}

template <class Op, class T>
concept Combines = std::is_invocable_r_v<T, Op, T, T>;
static_assert(!Combines<chares::LogicalAnd, std::string> && !Combines<chares::BitwiseAnd, double>);
static_assert(Combines<chares::BitwiseOr, std::vector<unsigned>> && !Combines<chares::Concatenate, std::set<int>>);
static_assert(!Combines<chares::Unite, std::multiset<int>> && !Combines<chares::Unite, std::vector<int>>);
static_assert(!Combines<chares::CombineEach<chares::Sum, chares::Max>, std::tuple<int>>);
static_assert(!Combines<chares::CombineEach<chares::Product>, std::tuple<std::string>>);

TEST_CASE("logical operations say whether all, some or an odd number are true", "[chares][operations]") {
  run_everywhere(logical_ones);
}
TEST_CASE("bitwise operations combine numbers and bitsets", "[chares][operations]") { run_everywhere(bitwise_ones); }
TEST_CASE("sequences are appended in any order, or merged in theirs", "[chares][operations]") {
  run_everywhere(sequences);
}
TEST_CASE("sets and maps are united", "[chares][operations]") { run_everywhere(unions); }
TEST_CASE("values are combined with their places, and tuples part by part", "[chares][operations]") {
  run_everywhere(combined_ones);
}
TEST_CASE("statistics of large numbers keep their digits", "[chares][operations]") { run_everywhere(measured_ones); }
TEST_CASE("all of them combine contributions", "[chares][operations]") { run_everywhere(contributions); }

TEST_CASE("statistics of nothing and of one number are defined", "[chares][operations]") {
  kaon::Statistics none, one(3);
  CHECK(none.count() == 0);
  CHECK(none.mean() == 0);
  CHECK(none.variance() == 0);
  CHECK(one.sample_variance() == 0);
  CHECK(kaon::statistics(none, one) == one);
  CHECK(kaon::statistics(one, none) == one);
  one.add(5);
  CHECK(one.mean() == 4);
  CHECK(one.variance() == 1);
  CHECK(one.sample_variance() == 2);
}
TEST_CASE("sorted sequences that overlap, follow or precede each other are merged", "[chares][operations]") {
  using V = std::vector<int>;
  CHECK(kaon::merge_in_order(V{1, 3, 5}, V{2, 4, 6}) == V{1, 2, 3, 4, 5, 6});
  CHECK(kaon::merge_in_order(V{1, 2}, V{2, 3}) == V{1, 2, 2, 3});
  CHECK(kaon::merge_in_order(V{5, 6}, V{1, 2}) == V{1, 2, 5, 6});
  CHECK(kaon::merge_in_order(V{}, V{1}) == V{1});
  CHECK(kaon::merge_in_order(V{1}, V{}) == V{1});
}

}  // namespace kaon::testing::more_operations
