// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_pieces.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace kaon::gpu;

namespace {

/// A maker and a receiver, as two processes have them.
struct Subject {
  std::unique_ptr<Driver> driver = make_host_driver({});
  SharedPieces mine{*driver};
  SharedPieces theirs{*driver, mine.address()};
  std::vector<std::uint64_t> wanted() {
    std::vector<std::uint64_t> numbers;
    mine.each_wanted([&](std::uint64_t number) { numbers.push_back(number); });
    return numbers;
  }
};

}  // namespace

TEST_CASE("a receiver sees what was written into a shared piece", "[device][staging]") {
  Subject subject;
  for (const std::size_t piece : {std::size_t{0}, SharedPieces::kPieces - 1}) {
    std::byte* data = subject.mine.data(piece);
    std::fill(data, data + SharedPieces::kPieceBytes, std::byte(piece + 1));
    const std::byte* seen = subject.theirs.data(piece);
    CHECK(seen != data);
    CHECK(std::count(seen, seen + SharedPieces::kPieceBytes, std::byte(piece + 1)) == SharedPieces::kPieceBytes);
  }
}

TEST_CASE("a shared piece is taken once until its receiver gives it back", "[device][staging]") {
  Subject subject;
  std::set<std::size_t> taken;
  while (const auto piece = subject.mine.take(0)) CHECK(taken.insert(*piece).second);
  CHECK(taken.size() == SharedPieces::kPieces);
  CHECK_FALSE(subject.mine.has_free());
  subject.theirs.give_back(7);
  CHECK(subject.mine.has_free());
  CHECK(subject.mine.take(0) == 7);
  CHECK_FALSE(subject.mine.take(0));
}

TEST_CASE("shared pieces are spared when asked", "[device][staging]") {
  Subject subject;
  std::size_t taken = 0;
  while (subject.mine.take(5)) ++taken;
  CHECK(taken == SharedPieces::kPieces - 5);
  CHECK(subject.mine.take(4));
}

TEST_CASE("a maker hears of each transfer that is wanted", "[device][staging]") {
  Subject subject;
  CHECK(subject.wanted().empty());
  CHECK(subject.theirs.want(3));
  CHECK(subject.theirs.want(1ull << 40));
  CHECK(subject.wanted() == std::vector<std::uint64_t>{3, 1ull << 40});
  CHECK(subject.wanted().empty());
}

TEST_CASE("too many wants at a time are refused until the maker heard some", "[device][staging]") {
  Subject subject;
  std::uint64_t number = 1;
  while (subject.theirs.want(number)) ++number;
  CHECK(subject.wanted().size() == number - 1);
  CHECK(subject.theirs.want(number));
  CHECK(subject.wanted() == std::vector<std::uint64_t>{number});
}

TEST_CASE("memory that cannot be opened, or is something else, is refused with what to do", "[device][staging]") {
  const Subject subject;
  for (const int descriptor : {1 << 20, 0}) {
    const SharedPieces::Address address{subject.mine.address().process, descriptor};
    CHECK_THROWS_AS(SharedPieces(*subject.driver, address), UsageError);
  }
}
