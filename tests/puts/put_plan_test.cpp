// SPDX-License-Identifier: Apache-2.0
// Plans of puts, as the host checks them before any is started.
#include "kaon/gpu/puts/put_plan.hpp"

#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using gpu::PlannedPut;
using gpu::PutPlan;

PlannedPut put_of(std::string name, int from, int to, std::uint64_t to_offset = 0) {
  return {.name = std::move(name),
          .from = from,
          .to = to,
          .source = "out",
          .target = "in",
          .bytes = 8,
          .from_offset = 16,
          .to_offset = to_offset};
}

std::string refusal(const PutPlan& plan) {
  return thrown<UsageError>([&] { plan.check(); });
}

/// Each PE of a ring sends to the next one, and then waits.
PutPlan ring_of(int pes, bool first_waits = false) {
  PutPlan plan(pes);
  const auto name = [](int pe) { return "from " + std::to_string(pe); };
  for (int pe = 0; pe < pes; ++pe) plan.add(put_of(name(pe), pe, (pe + 1) % pes));
  for (int pe = 0; pe < pes; ++pe) {
    const std::string before = name((pe + pes - 1) % pes);
    if (first_waits) plan.waits(before);
    plan.starts(name(pe));
    if (!first_waits) plan.waits(before);
  }
  return plan;
}

}  // namespace

TEST_CASE("a plan of puts gives each PE its list, and each put its flag at the receiver", "[puts]") {
  PutPlan plan(3);
  plan.add(put_of("a", 0, 2));
  plan.add(put_of("b", 1, 2, 8));
  plan.add(put_of("c", 0, 1));
  for (const char* each : {"a", "b", "c"}) plan.starts(each);
  for (const char* each : {"c", "b", "a"}) plan.waits(each);
  plan.check();
  CHECK(plan.flags_of(0) == 0);
  CHECK(plan.flags_of(1) == 1);
  CHECK(plan.flags_of(2) == 2);
  CHECK(plan.number_of("b") == 0);
  CHECK(plan.number_of("c") == 1);
  CHECK(plan.flag_of("b") == 1);
  std::vector<std::string> asked;
  const auto puts = plan.puts_of(0, [&](int pe, const std::string& segment) {
    asked.push_back(std::to_string(pe) + segment);
    return static_cast<gpu::SegmentNumber>(asked.size());
  });
  CHECK(asked == std::vector<std::string>{"0out", "2in", "2flags", "0out", "1in", "1flags"});
  REQUIRE(puts.size() == 2);
  CHECK(puts[1].from == 4);
  CHECK(puts[1].to == 5);
  CHECK(puts[1].flags == 6);
  CHECK(puts[1].flag == 0);
  CHECK(puts[0].bytes == 8);
  CHECK(puts[0].from_offset == 16);
}

TEST_CASE("a plan of puts is refused where a wait has no put, or a put no wait", "[puts][bad input]") {
  PutPlan plan(2);
  plan.add(put_of("a", 0, 1));
  CHECK(has(refusal(plan), "put \"a\" from PE 0 to PE 1 is never started"));
  plan.waits("a");
  CHECK(has(refusal(plan), "is waited for, and nobody starts it"));
  plan.starts("a");
  CHECK(refusal(plan).empty());
  plan.starts("a");
  CHECK(has(refusal(plan), "is started 2 times and waited for 1 times"));
  plan = PutPlan(2);
  plan.add(put_of("b", 1, 0));
  plan.starts("b");
  CHECK(has(refusal(plan), "is started, and nobody waits for it"));
  CHECK(has(thrown<UsageError>([&] { plan.starts("c"); }), "there is no put \"c\""));
  CHECK(has(thrown<UsageError>([&] { plan.add(put_of("b", 0, 1)); }), "two puts are called \"b\""));
  CHECK(has(thrown<UsageError>([&] { plan.add(put_of("d", 0, 2)); }), "from PE 0 to PE 2, in a plan of 2 PEs"));
  CHECK(has(thrown<UsageError>([&] { plan.add(put_of("d", -1, 0)); }), "in a plan of 2 PEs"));
  PlannedPut over_flags = put_of("d", 0, 1);
  over_flags.target = PutPlan::kFlags;
  CHECK(has(thrown<UsageError>([&] { plan.add(over_flags); }), "would overwrite flags"));
  CHECK(has(thrown<UsageError>([&] { (void)plan.flags_of(2); }), "there is no PE 2 in a plan of 2"));
  CHECK(has(thrown<UsageError>([] { PutPlan(-1); }), "a plan of -1 PEs"));
}

TEST_CASE("a plan of puts is refused where PEs would wait for each other", "[puts][bad input]") {
  CHECK(refusal(ring_of(1)).empty());
  CHECK(refusal(ring_of(4)).empty());
  CHECK(has(refusal(ring_of(3, true)), "PE 0 waits for \"from 2\" of PE 2, PE 2 waits for \"from 1\" of PE 1"));
  CHECK(has(refusal(ring_of(1, true)), "PE 0 waits for \"from 0\" of PE 0"));
  // One that waits for the circle is not in it.
  PutPlan plan(3);
  plan.add(put_of("there", 1, 2));
  plan.add(put_of("back", 2, 1));
  plan.add(put_of("out", 1, 0));
  for (const char* each : {"out", "back", "there"}) plan.waits(each);
  for (const char* each : {"there", "out", "back"}) plan.starts(each);
  const std::string why = refusal(plan);
  CHECK(has(why, "waits for \"back\" of PE 2"));
  CHECK_FALSE(has(why, "PE 0"));
}

TEST_CASE("a plan of puts is refused where two of them have one target", "[puts][bad input]") {
  PutPlan plan(2);
  plan.add(put_of("a", 0, 1, 100));
  plan.add(put_of("b", 1, 1, 108));
  plan.add(put_of("c", 1, 0, 100));
  for (const char* each : {"a", "b", "c"}) plan.starts(each);
  for (const char* each : {"a", "b", "c"}) plan.waits(each);
  CHECK(refusal(plan).empty());
  plan.add(put_of("d", 0, 1, 107));
  plan.starts("d");
  plan.waits("d");
  CHECK(has(refusal(plan), "overlap in segment \"in\""));
}

}  // namespace kaon::testing
