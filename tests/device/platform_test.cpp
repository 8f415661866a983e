// SPDX-License-Identifier: Apache-2.0
#include "gpu/platform.hpp"

#include "tests/support/catch.hpp"

using kaon::gpu::HostPlace;
using kaon::gpu::visible_device;

TEST_CASE("each process of a host takes the visible device of its place", "[device][platform]") {
  CHECK(visible_device("", 4, HostPlace{2, 4, 1}) == "2");
  CHECK(visible_device("3,1", 4, HostPlace{0, 2, 1}) == "3");
  CHECK(visible_device("3,1", 4, HostPlace{1, 2, 1}) == "1");
  CHECK(visible_device("GPU-8a,MIG-7", 4, HostPlace{1, 2, 1}) == "MIG-7");
}

TEST_CASE("processes share devices when there are fewer", "[device][platform]") {
  CHECK(visible_device("5", 8, HostPlace{3, 4, 1}) == "5");
  CHECK(visible_device("", 2, HostPlace{3, 4, 1}) == "1");
}

TEST_CASE("without devices nothing is chosen", "[device][platform]") {
  CHECK(visible_device("", 0, HostPlace{1, 4, 1}).empty());
}
