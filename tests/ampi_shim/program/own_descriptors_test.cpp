// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/own_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

using Range = std::pair<unsigned, unsigned>;

std::vector<Range> between(const OwnDescriptors& own, unsigned first, unsigned last) {
  std::vector<Range> parts;
  own.between(first, last, [&](unsigned from, unsigned to) { parts.emplace_back(from, to); });
  return parts;
}

}  // namespace

TEST_CASE("descriptors that are there are known, until others have their numbers", "[ampi][program]") {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const OwnDescriptors own;
  const int later = ::open("/dev/null", O_RDONLY);
  CHECK(own.has(pipe[0]));
  CHECK(own.has(pipe[1]));
  CHECK_FALSE(own.has(later));
  CHECK_FALSE(own.has(STDERR_FILENO));
  CHECK_FALSE(own.has(-1));
  ::close(pipe[1]);
  CHECK_FALSE(own.has(pipe[1]));
  REQUIRE(::dup2(later, pipe[1]) == pipe[1]);
  CHECK_FALSE(own.has(pipe[1]));
  ::close(pipe[1]);
  ::close(pipe[0]);
  ::close(later);
}

TEST_CASE("a range is told without the descriptors that are known", "[ampi][program]") {
  constexpr int kLow = 700, kHigh = 703;  // where nobody else is
  const int file = ::open("/dev/null", O_RDONLY);
  REQUIRE(::dup2(file, kLow) == kLow);
  REQUIRE(::dup2(file, kHigh) == kHigh);
  const OwnDescriptors own;
  CHECK(between(own, 699, 705) == std::vector<Range>{{699, 699}, {701, 702}, {704, 705}});
  CHECK(between(own, 700, 703) == std::vector<Range>{{701, 702}});
  CHECK(between(own, 701, 702) == std::vector<Range>{{701, 702}});
  CHECK(between(own, 700, 700).empty());
  CHECK(between(own, 704, ~0u) == std::vector<Range>{{704, ~0u}});
  for (const int number : {file, kLow, kHigh}) ::close(number);
}

}  // namespace kaon::ampi
