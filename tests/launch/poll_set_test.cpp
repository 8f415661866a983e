// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/poll_set.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using launch::Descriptor;
using launch::PollSet;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    out = Descriptor(ends[0]);
    in = Descriptor(ends[1]);
  }
  void put() const { REQUIRE(write(in.number(), "x", 1) == 1); }
  void take() const {
    char byte = 0;
    REQUIRE(read(out.number(), &byte, 1) == 1);
  }
  [[nodiscard]] pollfd readable() const { return {out.number(), POLLIN, 0}; }
  [[nodiscard]] pollfd writable() const { return {in.number(), POLLOUT, 0}; }

  Descriptor out, in;
};

std::vector<short> ready(PollSet& set, std::vector<pollfd> polled, int limit_ms = 0) {
  set.wait(polled, limit_ms);
  std::vector<short> events;
  for (const pollfd& each : polled) events.push_back(each.revents);
  return events;
}

}  // namespace

using Events = std::vector<short>;

TEST_CASE("a set says which of its descriptors are ready, as long as they are", "[launch]") {
  PollSet set;
  const Pipe first, second;
  CHECK(ready(set, {first.readable(), second.readable(), second.writable()}) == Events{0, 0, POLLOUT});
  second.put();
  for (int i = 0; i < 2; ++i) CHECK(ready(set, {first.readable(), second.readable()}, -1) == Events{0, POLLIN});
  second.take();
  CHECK(ready(set, {first.readable(), second.readable()}) == Events{0, 0});
}

TEST_CASE("what a set waits for may change its place, its wish and its neighbours", "[launch]") {
  PollSet set;
  const Pipe first, second;
  first.put();
  second.put();
  CHECK(ready(set, {first.readable(), second.readable()}) == Events{POLLIN, POLLIN});
  CHECK(ready(set, {second.readable(), {-1, POLLIN, 0}, first.readable()}) == Events{POLLIN, 0, POLLIN});
  CHECK(ready(set, {second.readable()}) == Events{POLLIN});
  CHECK(ready(set, {{first.out.number(), 0, 0}, second.readable()}) == Events{0, POLLIN});
  CHECK(ready(set, {first.readable()}) == Events{POLLIN});
}

TEST_CASE("the end of a pipe is news without a wish for any", "[launch]") {
  PollSet set;
  Pipe pipe;
  pollfd polled{pipe.out.number(), 0, 0};
  pipe.in.close();
  CHECK(ready(set, {polled}, -1) == Events{POLLHUP});
}

TEST_CASE("a number that was closed may come again", "[launch]") {
  PollSet set;
  Pipe first;
  const Pipe second;
  CHECK(ready(set, {first.readable()}) == Events{0});
  const int number = first.out.number();
  first.out.close();
  CHECK(ready(set, {}) == Events{});
  const Descriptor again(dup3(second.out.number(), number, O_CLOEXEC));
  REQUIRE(again.number() == number);
  second.put();
  CHECK(ready(set, {{again.number(), POLLIN, 0}}) == Events{POLLIN});
}

TEST_CASE("what becomes ready of a descriptor that was closed, and is open elsewhere, is told of nobody", "[launch]") {
  PollSet set;
  Pipe first;
  const Pipe second;
  CHECK(ready(set, {first.readable()}) == Events{0});
  const Descriptor elsewhere(fcntl(first.out.number(), F_DUPFD_CLOEXEC, 0));
  first.out.close();
  first.put();
  CHECK(ready(set, {second.readable()}) == Events{0});
}

TEST_CASE("a file is always ready", "[launch]") {
  PollSet set;
  const Pipe pipe;
  const Descriptor file(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const pollfd wish{file.number(), POLLOUT, 0};
  for (int i = 0; i < 2; ++i) CHECK(ready(set, {pipe.readable(), wish}, -1) == Events{0, POLLOUT});
  CHECK(ready(set, {pipe.readable(), {file.number(), 0, 0}}) == Events{0, 0});
}

TEST_CASE("a set larger than what it is told of at once leaves nobody out", "[launch]") {
  PollSet set;
  std::vector<Pipe> pipes(300);
  std::vector<pollfd> polled;
  for (const Pipe& each : pipes) {
    each.put();
    polled.push_back(each.readable());
  }
  std::vector<bool> was_ready(pipes.size());
  for (int i = 0; i < 4; ++i) {
    set.wait(polled, 0);
    for (std::size_t k = 0; k < polled.size(); ++k) was_ready[k] = was_ready[k] || polled[k].revents == POLLIN;
  }
  CHECK(was_ready == std::vector<bool>(pipes.size(), true));
}

}  // namespace kaon::testing
