// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/waker.hpp"

#include <unistd.h>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

TEST_CASE("a waker that was woken before does not sleep, and sleeps the next time", "[runtime][waker]") {
  Waker waker;
  waker.wake();
  waker.wake();
  CHECK(waker.sleep(-1, std::chrono::seconds{10}) == Waker::Reason::signalled);
  CHECK(waker.sleep(-1, std::chrono::milliseconds{0}) == Waker::Reason::time_out);
}

TEST_CASE("a waker tells when the port has something", "[runtime][waker]") {
  Waker waker;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "x", 1) == 1);
  CHECK(waker.sleep(ends[0], std::chrono::seconds{10}) == Waker::Reason::port);
  close(ends[0]);
  close(ends[1]);
}
