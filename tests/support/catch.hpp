// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

// Catch2 2.13 (Debian 12) and 3 (Debian 13, Ubuntu 24.04) differ in the name of the header that has everything, and in
// where some names are.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace kaon::gpu {}
namespace kaon::testing {
namespace gpu = kaon::gpu;  // for tests outside of kaon that use this namespace

// A matcher of texts.
inline auto contains_text(const std::string& text) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(text);
#else
  return Catch::Matchers::Contains(text);
#endif
}
}  // namespace kaon::testing
