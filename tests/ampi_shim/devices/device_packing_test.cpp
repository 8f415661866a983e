// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/devices/device_packing.hpp"

#include "kaon/ampi_shim/datatypes/layout.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

using Numbers = std::array<std::int64_t, gpu::StridedBytes::kLevels>;

/// What a layout at address 0 is for a kernel.
std::optional<gpu::StridedBytes> runs_of(const Layout& layout, std::int64_t count, std::int64_t extent) {
  return strided_bytes(nullptr, {&layout, count, extent});
}

}  // namespace

TEST_CASE("a vector is runs at one distance", "[ampi][devices]") {
  const auto runs = runs_of(Layout::run(16, 8).repeated(100, 24), 1, 2400);
  REQUIRE(runs.has_value());
  CHECK(reinterpret_cast<std::uintptr_t>(runs->first) == 16);
  CHECK(runs->run_bytes == 8);
  CHECK(runs->counts == Numbers{100, 1, 1});
  CHECK(runs->strides == Numbers{24, 0, 0});
}

TEST_CASE("repetitions without gaps are one level of longer runs", "[ampi][devices]") {
  CHECK(runs_of(Layout::run(0, 8).repeated(3, 8), 1, 24)->run_bytes == 24);
  const auto runs = runs_of(Layout::run(0, 8).repeated(10, 24), 5, 240);
  REQUIRE(runs.has_value());
  CHECK(runs->counts == Numbers{50, 1, 1});
  CHECK(runs->strides == Numbers{24, 0, 0});
}

TEST_CASE("vectors of vectors are levels, the innermost first", "[ampi][devices]") {
  const Layout plane = Layout::run(0, 8).repeated(10, 24).as_one().repeated(4, 1000);
  const auto runs = runs_of(plane, 2, 10000);
  REQUIRE(runs.has_value());
  CHECK(runs->counts == Numbers{10, 4, 2});
  CHECK(runs->strides == Numbers{24, 1000, 10000});
  const Layout deeper = plane.as_one().repeated(3, 5000);
  CHECK_FALSE(runs_of(deeper, 2, 100000).has_value());
}

TEST_CASE("runs of several lengths are not for the kernel", "[ampi][devices]") {
  const Layout pieces = joined({Layout::run(0, 8), Layout::run(20, 4)});
  CHECK_FALSE(runs_of(pieces, 1, 24).has_value());
}

}  // namespace kaon::ampi
