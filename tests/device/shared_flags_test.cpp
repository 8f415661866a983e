// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/shared_flags.hpp"

#include <set>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace kaon::gpu;

TEST_CASE("a flag that is raised in one process is seen in the one that took it, and by no other flag",
          "[device][channel]") {
  const std::unique_ptr<Driver> driver = make_host_driver({});
  SharedFlags mine(*driver), theirs(*driver);
  const SharedFlagPlace one = mine.take(), other = mine.take();
  std::uint32_t* const seen = theirs.open(one);
  CHECK(seen != mine.open(one));
  *seen = 7;
  CHECK(*mine.open(one) == 7);
  CHECK(*mine.open(other) == 0);
  CHECK(theirs.open(one) == seen);
}

TEST_CASE("flags are taken page by page, and those that came back are 0 again", "[device][channel]") {
  const std::unique_ptr<Driver> driver = make_host_driver({});
  SharedFlags flags(*driver);
  std::set<std::uint32_t*> taken;
  SharedFlagPlace last;
  for (int i = 0; i < 3000; ++i) {
    last = flags.take();
    CHECK(taken.insert(flags.open(last)).second);
  }
  *flags.open(last) = 3;
  flags.give_back(last);
  const SharedFlagPlace again = flags.take();
  CHECK(flags.open(again) == flags.open(last));
  CHECK(*flags.open(again) == 0);
}

TEST_CASE("a flag of a process that cannot be seen is refused", "[device][channel][bad input]") {
  const std::unique_ptr<Driver> driver = make_host_driver({});
  SharedFlags flags(*driver);
  SharedFlagPlace place = flags.take();
  place.page.descriptor = 9999;
  CHECK_THROWS_AS(flags.open(place), UsageError);
}
