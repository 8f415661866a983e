// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/program_memory.hpp"

#include <span>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

/// An action on the PE of a process with two devices, which has the first.
template <class Action>
void on_a_pe(Action action) {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  settings.devices = 2;
  DeviceScene scene(settings);
  scene.network().on(0, [&](Pe&) { action(scene.device(0).driver()); });
}

}  // namespace

TEST_CASE("memory that nobody has registered is known by any address in it", "[ampi][devices]") {
  on_a_pe([](gpu::Driver& driver) {
    gpu::ProgramMemory memory;
    auto* const data = static_cast<std::byte*>(driver.allocate(0, 1000));
    const auto first = memory.find(data), last = memory.find(data + 999);
    CHECK(first.is_on_device);
    REQUIRE(first.region != nullptr);
    CHECK(first.region->holds(data, 1000));
    CHECK(last.region == first.region);
    CHECK_FALSE(memory.find(data + 1000).is_on_device);
    CHECK_FALSE(memory.find(&memory).is_on_device);
    CHECK_FALSE(memory.find(nullptr).is_on_device);
    driver.free(0, data);
    CHECK_FALSE(memory.find(data).is_on_device);
  });
}

TEST_CASE("memory of another device is on a device, and not registered for this one", "[ampi][devices]") {
  on_a_pe([](gpu::Driver& driver) {
    gpu::ProgramMemory memory;
    void* const data = driver.allocate(1, 1000);
    CHECK(memory.find(data).is_on_device);
    CHECK(memory.find(data).region == nullptr);
    driver.free(1, data);
  });
}

TEST_CASE("pinned memory is the host's", "[ampi][devices]") {
  on_a_pe([](gpu::Driver& driver) {
    gpu::ProgramMemory memory;
    void* const data = driver.allocate_pinned(1000);
    CHECK_FALSE(memory.find(data).is_on_device);
    driver.free_pinned(data);
  });
}

TEST_CASE("what was allocated where something was freed is looked at anew", "[ampi][devices]") {
  on_a_pe([](gpu::Driver& driver) {
    gpu::ProgramMemory memory;
    for (std::size_t bytes = 100; bytes < 100000; bytes = bytes * 3 / 2) {
      auto* const data = static_cast<std::byte*>(driver.allocate(0, bytes));
      const auto place = memory.find(data + bytes - 1);
      REQUIRE(place.region != nullptr);
      CHECK(place.region->base == data);
      CHECK(place.region->bytes == bytes);
      driver.free(0, data);
    }
  });
}

TEST_CASE("where a program has freed memory of a device, the host's takes payloads", "[ampi][devices]") {
  on_a_pe([](gpu::Driver& driver) {
    gpu::ProgramMemory memory;
    auto* const data = static_cast<std::byte*>(driver.allocate(0, 1000));
    const Landing landing = Landing::into(std::span(data, 1000));
    REQUIRE(memory.find(data).region != nullptr);
    CHECK_THROWS_AS(gpu::these_payloads().require_host(landing), UsageError);
    driver.free(0, data);
    CHECK_NOTHROW(gpu::these_payloads().require_host(landing));
  });
}

}  // namespace kaon::testing
