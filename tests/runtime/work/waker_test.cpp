// SPDX-License-Identifier: Apache-2.0
// threads: one that wakes another
#include "kaon/runtime/work/waker.hpp"

#include <unistd.h>

#include <thread>

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

TEST_CASE("a thread that sleeps is woken by another, whatever it sleeps on", "[runtime][waker]") {
  const bool has_port = GENERATE(true, false);
  Waker waker;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  for (int i = 0; i < 200; ++i) {
    std::jthread other([&] { waker.wake(); });
    CHECK(waker.sleep(has_port ? ends[0] : -1, std::chrono::minutes{1}) == Waker::Reason::signalled);
  }
  for (const int end : ends) close(end);
}

TEST_CASE("a waker that was woken as its port ended the sleep says so once", "[runtime][waker]") {
  Waker waker;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "x", 1) == 1);
  waker.wake();
  CHECK(waker.sleep(ends[0], std::chrono::minutes{1}) == Waker::Reason::signalled);
  CHECK(waker.sleep(ends[0], std::chrono::minutes{1}) == Waker::Reason::port);
  for (const int end : ends) close(end);
}
