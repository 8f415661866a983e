// SPDX-License-Identifier: Apache-2.0
// kaon::sum and its kin on what is combined element by element.
#include "kaon/chares/collectives/operations.hpp"

#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::operations_of_sequences {

struct Nothing {};
template <class Op, class V>
inline constexpr bool combines = std::is_invocable_r_v<V, Op, V, V>;

static_assert(combines<chares::Sum, int> && combines<chares::Min, std::string>);
static_assert(combines<chares::Product, std::vector<std::array<double, 2>>>);
static_assert(!combines<chares::Product, std::string> && !combines<chares::Max, std::vector<Nothing>>);

using Lists = std::vector<std::vector<std::int64_t>>;

class Histogram : public Chare<Histogram> {
 public:
  std::vector<double> here() const {
    const double x = index().x;
    return {x, 1, -x};
  }
  Lists nested() { return {{index().x}, {}, {2, 3}}; }
  std::vector<bool> flags() { return {index().x == 3, false, true}; }
  std::vector<int> as_many_as_index() { return std::vector<int>(static_cast<std::size_t>(index().x), 1); }
  Task<std::vector<double>> meet() { co_return co_await contribute(sum, here()); }
  Task<std::vector<int>> meet_with_different_lengths() { co_return co_await contribute(sum, as_many_as_index()); }
};

Task<> combine_results(Runtime& runtime) {
  const auto all = co_await runtime.create<Histogram>(12);
  const std::vector<double> added = co_await all.call_all<&Histogram::here>(sum);
  const std::vector<double> least = co_await all.call_all<&Histogram::here>(min);
  const std::vector<double> most = co_await all.call_all<&Histogram::here>(max);
  const std::vector<double> multiplied = co_await all.call_all<&Histogram::here>(product);
  const Lists nested = co_await all.call_all<&Histogram::nested>(sum);
  const std::vector<bool> flags = co_await all.call_all<&Histogram::flags>(max);
  CHECK(added == std::vector<double>{66, 12, -66});
  CHECK(least == std::vector<double>{0, 1, -11});
  CHECK(most == std::vector<double>{11, 1, 0});
  CHECK(multiplied[1] == 1);
  const Lists expected{{66}, {}, {24, 36}};
  CHECK(nested == expected);
  CHECK(flags == std::vector<bool>{true, false, true});
}

Task<> combine_contributions(Runtime& runtime) {
  const auto all = co_await runtime.create<Histogram>(12);
  const std::vector<double> added = co_await all.call_all<&Histogram::meet>(max);
  CHECK(added == std::vector<double>{66, 12, -66});
}

Task<> combine_different_lengths(Runtime& runtime) {
  const auto all = co_await runtime.create<Histogram>(2);
  std::string text;
  try {
    co_await all.call_all<&Histogram::as_many_as_index>(sum);
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(has(text, "vectors of "));
  CHECK(has(text, " 0 "));
  CHECK(has(text, " 1 "));
}

Task<> contribute_different_lengths(Runtime& runtime) {
  const auto all = co_await runtime.create<Histogram>(2);
  try {
    co_await all.call_all<&Histogram::meet_with_different_lengths>(sum);
  } catch (const UsageError&) {  // who has contributed before would wait for ever
  }
}

TEST_CASE("results that are vectors are combined element by element", "[chares][call]") {
  run_everywhere(combine_results);
}
TEST_CASE("contributions that are vectors are combined element by element", "[chares][contribution]") {
  run_everywhere(combine_contributions);
}
TEST_CASE("results of different lengths are refused with both lengths", "[chares][call]") {
  run_everywhere(combine_different_lengths);
}
TEST_CASE("contributions of different lengths end the run with both lengths", "[chares][contribution]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{2, 1}}) {
    const std::string text = thrown<UsageError>([&] { Scene(shape).run(contribute_different_lengths); });
    CAPTURE(text);
    CHECK(has(text, "vectors of "));
    CHECK(has(text, " 0 "));
    CHECK(has(text, " 1 "));
  }
}

}  // namespace kaon::testing::operations_of_sequences
