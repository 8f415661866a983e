// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/scheduler.hpp"

#include <exception>
#include <stdexcept>
#include <string>

#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

std::string thrown_by(Scheduler& scheduler) {
  try {
    scheduler.throw_failure();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the first of several faults is told, and once", "[runtime][scheduler]") {
  Network network({1, 1});
  Pe& pe = network.pe(0);
  pe.fail(error("one"), "here");
  pe.fail(error("two"), "there");
  CHECK(pe.failure_place() == "here");
  CHECK(thrown_by(pe) == "one");
  CHECK(thrown_by(pe) == "");
}

TEST_CASE("an error comes from where it was noted first", "[runtime][scheduler]") {
  Network network({1, 1});
  Pe& pe = network.pe(0);
  const auto both = error("two PEs saw it"), other = error("another");
  pe.note_origin(both, "the first");
  for (int place = 0; place < 10; ++place) pe.note_origin(both, "the second");  // more than are remembered
  CHECK(pe.origin_of(both) == "the first");
  CHECK(pe.origin_of(other).empty());
  pe.fail(both, "main");
  CHECK(pe.failure_place() == "the first, awaited by main");
  CHECK(thrown_by(pe) == "two PEs saw it");
}
