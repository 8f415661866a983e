// SPDX-License-Identifier: Apache-2.0
#pragma once

// Catch2 2.13 (Debian 12) and 3 (Ubuntu 24.04) differ in the name of the header that has everything.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace kaon::gpu {}
namespace kaon::testing {
namespace gpu = kaon::gpu;  // for tests outside of kaon that use this namespace
}
