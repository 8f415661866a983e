// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/promptness.hpp"

#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::promptness {

constexpr std::uint32_t kKind = 3;
constexpr std::uint64_t kForEver = std::uint64_t{1} << 62;  // ticks
constexpr std::uint64_t kCoalesce = 1000;

std::size_t pending_at_send = 0;  // parcels of the network, as the entry saw them
std::size_t pending_at_begin = 0;

void take(Pe&, int) {}
LoopbackNetwork* wire = nullptr;

// Of a kind that nobody has seen yet, which is taken for a long one.
void send_and_go_on(Pe& pe) {
  pending_at_begin = wire->pending().size();
  RemoteProcedure<&take, Counting::counted>::send(pe, 1, 1);
  pending_at_send = wire->pending().size();
}

// Coalescing for as long as is possible where work of unknown length counts as long.
Options patient() {
  Options options = default_options();
  options.coalesce_us = 999;
  return options;
}

// Ends a piece of work that sent something and took so many ticks.
void end_after(Promptness& promptness, std::uint64_t ticks, std::uint64_t& now) {
  promptness.begin(now);
  (void)promptness.must_leave(kKind);
  (void)promptness.end(kKind);
  promptness.measured(kKind, now += ticks);
}

TEST_CASE("work of a kind that nobody knows is taken for long, or for short when company is asked for",
          "[runtime][promptness]") {
  CHECK(Promptness(kCoalesce, true).must_leave(kKind));
  CHECK_FALSE(Promptness(kForEver, false).must_leave(kKind));
  CHECK_FALSE(Promptness(kForEver, true).must_leave(Promptness::kUnknownKind));
}

TEST_CASE("a kind is long for some runs after a long one", "[runtime][promptness]") {
  Promptness promptness(kCoalesce, false);
  std::uint64_t now = 1;
  end_after(promptness, 1, now);
  CHECK_FALSE(promptness.is_long_kind(kKind));
  end_after(promptness, 100 * kCoalesce, now);
  CHECK(promptness.is_long_kind(kKind));
  end_after(promptness, 1, now);
  CHECK(promptness.is_long_kind(kKind));
  for (int run = 0; run < 100; ++run) end_after(promptness, 1, now);
  CHECK_FALSE(promptness.is_long_kind(kKind));
}

TEST_CASE("a piece of a short kind that goes on is found out at its second send", "[runtime][promptness]") {
  Promptness promptness(kCoalesce, false);
  promptness.begin(0);  // long ago, by any clock
  CHECK_FALSE(promptness.must_leave(kKind));
  CHECK(promptness.must_leave(kKind));
  CHECK(promptness.must_leave(kKind));
}

TEST_CASE("a piece of work is judged by itself", "[runtime][promptness]") {
  Promptness promptness(kForEver, false);
  promptness.begin(0);
  (void)promptness.must_leave(kKind);
  promptness.measured(kKind, kForEver);
  promptness.measured(kKind + 1, kForEver + 4 * kCoalesce);  // begins where the last ended
  CHECK_FALSE(promptness.is_long_kind(kKind + 1));

  Promptness hasty(kCoalesce, false);
  hasty.begin(0);
  while (!hasty.must_leave(kKind)) {
  }
  CHECK(hasty.end(kKind));
  hasty.measured(kKind, 1);
  CHECK_FALSE(hasty.must_leave(kKind + 1));  // the next is not long because this one was
}

TEST_CASE("short pieces are measured together, and a long one among them puts all in doubt", "[runtime][promptness]") {
  constexpr std::uint32_t kMost = 7;  // and then one
  const std::uint64_t took = GENERATE(kCoalesce, 3 * kCoalesce, 100 * kCoalesce);
  Promptness promptness(kCoalesce, false);
  promptness.begin(1);
  for (std::uint32_t kind = 0; kind < kMost; ++kind) CHECK_FALSE(promptness.end(kind));
  CHECK(promptness.end(kMost));
  promptness.measured(kMost, 1 + took);
  for (std::uint32_t kind = 0; kind <= kMost; ++kind) CHECK(promptness.is_long_kind(kind) == (took > 3 * kCoalesce));
  if (took > 3 * kCoalesce) return;
  for (std::uint32_t kind = 0; kind < kMost; ++kind) CHECK_FALSE(promptness.end(kind));  // of the next together
  CHECK(promptness.end(kMost));
}

TEST_CASE("a piece of a short kind that is the first of a turn is measured now and then", "[runtime][promptness]") {
  Promptness promptness(kCoalesce, false);
  int measured = 0;
  for (int turn = 0; turn < 64; ++turn) {
    promptness.begin();
    (void)promptness.must_leave(kKind);
    measured += promptness.begin_ticks() != Promptness::kUnknownTime ? 1 : 0;
    (void)promptness.end(kKind);
  }
  CHECK(measured == 8);
}

TEST_CASE("a short kind that turns long, alone in its turns, is known after some", "[runtime][promptness]") {
  const int sends = GENERATE(1, 2, 7);
  Promptness promptness(kCoalesce, false);
  int runs = 0;
  for (; runs < 100 && !promptness.is_long_kind(kKind); ++runs) {
    promptness.begin();
    for (int i = 0; i < sends; ++i) (void)promptness.must_leave(kKind);
    if (promptness.end(kKind)) promptness.measured(kKind, kForEver + 1);
  }
  CHECK(runs <= 8);
}

TEST_CASE("a turn's first piece is found out at its third send when nobody knew when it began",
          "[runtime][promptness]") {
  Promptness promptness(0, false);  // any time is long
  promptness.begin();
  promptness.begin();  // a turn that is not measured
  CHECK_FALSE(promptness.must_leave(kKind));
  CHECK_FALSE(promptness.must_leave(kKind));
  CHECK(promptness.must_leave(kKind));
}

TEST_CASE("pieces that follow each other are as long as each of them", "[runtime][promptness]") {
  Promptness promptness(kCoalesce, false);
  promptness.begin(0);
  for (std::uint64_t end = 1; end < 20; ++end) {
    (void)promptness.must_leave(Promptness::kUnknownKind);
    (void)promptness.end(kKind);
    promptness.measured(kKind, end * kCoalesce);
  }
  CHECK_FALSE(promptness.is_long_kind(kKind));
}

TEST_CASE("what a long entry sends leaves while it runs", "[runtime][promptness]") {
  Network network({2, 1}, patient());
  wire = &network.wire();
  pending_at_send = 0;
  network.on(0, [](Pe& pe) { RemoteProcedure<&send_and_go_on, Counting::counted>::send(pe, 0); });
  network.run(0);
  CHECK(pending_at_send == 1);
  network.run_until_idle();
}

TEST_CASE("what others sent leaves before a long entry begins", "[runtime][promptness]") {
  Network network({2, 1}, patient());
  wire = &network.wire();
  pending_at_begin = 0;
  network.run_all();  // what is sent from here on may wait
  Work short_one;
  short_one.run = [](Work&, Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 1, 1); };
  network.on(0, [&](Pe& pe) {
    pe.enqueue(short_one);
    RemoteProcedure<&send_and_go_on, Counting::counted>::send(pe, 0);
  });
  network.run(0);
  CHECK(pending_at_begin == 1);
  network.run_until_idle();
}

}  // namespace kaon::testing::promptness
