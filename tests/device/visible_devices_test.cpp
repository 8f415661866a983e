// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/visible_devices.hpp"

#include "kaon/runtime/base/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variable.hpp"

using namespace kaon::gpu;
using kaon::runtime::seat_on_one_host;
using kaon::testing::has;
using kaon::testing::thrown;
using kaon::testing::Variable;
using Names = std::vector<std::string>;

TEST_CASE("each process of a host takes the visible device of its place", "[device][platform]") {
  CHECK(device_of({"0", "1", "2", "3"}, seat_on_one_host(2, 4)) == "2");
  CHECK(device_of({"3", "1"}, seat_on_one_host(1, 2)) == "1");
}

TEST_CASE("processes share devices when there are fewer", "[device][platform]") {
  CHECK(device_of({"5"}, seat_on_one_host(3, 4)) == "5");
  CHECK(device_of({"0", "1"}, seat_on_one_host(3, 4)) == "1");
  CHECK(device_of({}, seat_on_one_host(1, 4)).empty());
}

TEST_CASE("devices are named by numbers, by their names and by those of their parts", "[device][platform]") {
  CHECK(visible_entries("V", "3,1") == Names{"3", "1"});
  CHECK(visible_entries("V", " 0 , 2") == Names{"0", "2"});
  CHECK(visible_entries("V", "GPU-8932f937-d72c,MIG-7,MIG-GPU-8932f937/1/0") ==
        Names{"GPU-8932f937-d72c", "MIG-7", "MIG-GPU-8932f937/1/0"});
  CHECK(visible_entries("V", "").empty());
}

TEST_CASE("what follows a negative number is not visible", "[device][platform]") {
  CHECK(visible_entries("V", "0,-1,1") == Names{"0"});
  CHECK(visible_entries("V", "-1").empty());
  CHECK(visible_entries("V", "NoDevFiles").empty());
}

TEST_CASE("an entry that would hide all that follow is refused", "[device][platform]") {
  for (const char* list : {"0,,1", "0,1,", ",0", "0;1", "0,x", "1a"}) {
    CAPTURE(list);
    const std::string text = thrown<kaon::runtime::UsageError>([&] { visible_entries("CUDA_VISIBLE_DEVICES", list); });
    CHECK(has(text, std::string("CUDA_VISIBLE_DEVICES=") + list));
    CHECK(has(text, "names no device"));
  }
}

TEST_CASE("AMD's users hide devices at two places, of which the upper counts what the lower leaves",
          "[device][platform]") {
  const Variable lower("ROCR_VISIBLE_DEVICES", "5,GPU-00af,2");
  CHECK(visible_devices(Backend::hip, 8) == Names{"0", "1", "2"});
  CHECK(visible_devices(Backend::cuda, 2) == Names{"0", "1"});
  const Variable upper("HIP_VISIBLE_DEVICES", "2,0");
  CHECK(visible_devices(Backend::hip, 8) == Names{"2", "0"});
}

TEST_CASE("the first process of a host warns of devices that are shared", "[device][platform]") {
  CHECK(sharing_warning(2, false, seat_on_one_host(0, 4)) ==
        "4 processes share 2 devices and take turns on them, which costs 0.1 ms a message; start one process for each "
        "device and use --pes for more PEs");
  CHECK(has(sharing_warning(1, true, seat_on_one_host(0, 2)), "2 processes share 1 device and take turns on it,"));
  CHECK(has(sharing_warning(1, true, seat_on_one_host(0, 2)), "Never mind"));
}

TEST_CASE("nobody warns when there are devices enough or none, nor does another process", "[device][platform]") {
  CHECK(sharing_warning(4, false, seat_on_one_host(0, 4)).empty());
  CHECK(sharing_warning(0, false, seat_on_one_host(0, 4)).empty());
  CHECK(sharing_warning(2, false, seat_on_one_host(1, 4)).empty());
}
