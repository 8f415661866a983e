// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::descriptors {

// The limits as they are now, given back at the end. Lowers the soft one alone: only root could raise the hard one.
class SoftLimit {
 public:
  explicit SoftLimit(rlim_t limit) {
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const rlimit lowered{limit, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &lowered) == 0);
  }
  SoftLimit(const SoftLimit&) = delete;
  SoftLimit& operator=(const SoftLimit&) = delete;
  ~SoftLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
  rlim_t hard() const { return before_.rlim_max; }

 private:
  rlimit before_{};
};

// How many descriptors can be opened now. Closes them again.
std::size_t count_that_can_be_opened(std::size_t wanted) {
  std::vector<int> opened;
  while (opened.size() < wanted) {
    const int number = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (number < 0) break;
    opened.push_back(number);
  }
  for (const int number : opened) close(number);
  return opened.size();
}

TEST_CASE("descriptors that were reserved can be opened", "[runtime][descriptors]") {
  const SoftLimit few(16);
  REQUIRE(count_that_can_be_opened(100) < 100);
  CHECK(reserve_descriptors(100, "the test").rlim_cur == 16);
  CHECK(count_that_can_be_opened(100) == 100);
}

TEST_CASE("a limit that suffices stays as it is", "[runtime][descriptors]") {
  const SoftLimit many(512);
  reserve_descriptors(16, "the test");
  rlimit now{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &now) == 0);
  CHECK(now.rlim_cur == 512);
}

TEST_CASE("more descriptors than the system allows are refused with what to do", "[runtime][descriptors]") {
  const SoftLimit few(16);
  if (few.hard() == RLIM_INFINITY) return;
  const auto too_many = static_cast<std::size_t>(few.hard()) + 1;
  CHECK_THROWS_AS(reserve_descriptors(too_many, "the test"), UsageError);
  CHECK_THROWS_WITH(reserve_descriptors(too_many, "the test"),
                    contains_text("the test needs") && contains_text("ulimit -n"));
}

}  // namespace kaon::testing::descriptors
