// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/failures.hpp"

#include <exception>
#include <stdexcept>
#include <string>

#include "tests/support/catch.hpp"

using kaon::runtime::Failures;

namespace {

std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

std::string thrown_by(Failures& failures) {
  try {
    failures.rethrow_first();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the first of several faults is thrown, and once", "[runtime][failures]") {
  Failures failures;
  CHECK_FALSE(failures.any());
  failures.add(error("one"), "here");
  failures.add(error("two"), "there");
  CHECK(failures.any());
  CHECK(failures.place() == "here");
  CHECK(thrown_by(failures) == "one");
  CHECK(thrown_by(failures) == "");
}

TEST_CASE("an error comes from where it was noted first", "[runtime][failures]") {
  Failures failures;
  const auto both = error("two PEs saw it"), other = error("another");
  failures.note_origin(both, "the first");
  for (int place = 0; place < 10; ++place) failures.note_origin(both, "the second");  // more than are remembered
  CHECK(failures.origin_of(both) == "the first");
  CHECK(failures.origin_of(other).empty());
  failures.add(both, "main");
  CHECK(failures.place() == "the first, awaited by main");
  CHECK(thrown_by(failures) == "two PEs saw it");
}
