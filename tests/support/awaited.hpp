// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/catch.hpp"

// CHECK and CHECK_THAT of what a task awaits. g++ 12 and 14 take the operand of a co_await within a macro of Catch2 as
// often as that names its expression (docs/compilers.md), so these await it once, into a variable.

#define CHECK_AWAITED(awaited, expected) \
  do {                                   \
    const auto got = co_await (awaited); \
    CHECK(got == (expected));            \
  } while (false)

#define CHECK_THAT_AWAITED(awaited, matcher) \
  do {                                       \
    const auto got = co_await (awaited);     \
    CHECK_THAT(got, matcher);                \
  } while (false)
