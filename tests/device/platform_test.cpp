// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/platform.hpp"

#include "tests/support/catch.hpp"

using kaon::gpu::sharing_warning;
using kaon::gpu::visible_device;
using kaon::runtime::seat_on_one_host;

TEST_CASE("each process of a host takes the visible device of its place", "[device][platform]") {
  CHECK(visible_device("", 4, seat_on_one_host(2, 4)) == "2");
  CHECK(visible_device("3,1", 4, seat_on_one_host(0, 2)) == "3");
  CHECK(visible_device("3,1", 4, seat_on_one_host(1, 2)) == "1");
  CHECK(visible_device("GPU-8a,MIG-7", 4, seat_on_one_host(1, 2)) == "MIG-7");
}

TEST_CASE("processes share devices when there are fewer", "[device][platform]") {
  CHECK(visible_device("5", 8, seat_on_one_host(3, 4)) == "5");
  CHECK(visible_device("", 2, seat_on_one_host(3, 4)) == "1");
}

TEST_CASE("without devices nothing is chosen", "[device][platform]") {
  CHECK(visible_device("", 0, seat_on_one_host(1, 4)).empty());
  CHECK(visible_device("-1", 4, seat_on_one_host(1, 4)).empty());
}

TEST_CASE("the first process of a host warns of devices that are shared", "[device][platform]") {
  CHECK(sharing_warning("", 2, seat_on_one_host(0, 4)) ==
        "4 processes share 2 devices and take turns on them, which costs 0.1 ms a message; start one process for each "
        "device and use --pes for more PEs");
  CHECK(
      sharing_warning("5", 8, seat_on_one_host(0, 2)).starts_with("2 processes share 1 device and take turns on it,"));
  CHECK(sharing_warning("0,-1,1", 8, seat_on_one_host(0, 2)).starts_with("2 processes share 1 device "));
}

TEST_CASE("nobody warns when there are devices enough or none, nor does another process", "[device][platform]") {
  CHECK(sharing_warning("", 4, seat_on_one_host(0, 4)).empty());
  CHECK(sharing_warning("", 0, seat_on_one_host(0, 4)).empty());
  CHECK(sharing_warning("-1", 4, seat_on_one_host(0, 4)).empty());
  CHECK(sharing_warning("", 2, seat_on_one_host(1, 4)).empty());
}
