// SPDX-License-Identifier: Apache-2.0
// Memory of emulated devices as other processes map it. Here the two are one, which maps it twice.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <optional>
#include <string>

#include "kaon/gpu/backends/host_imports.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/full_address_space.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::size_t kInts = 5000;  // some pages, and part of one

std::unique_ptr<Driver> make_driver(bool has_peer_access = true) {
  return make_host_driver({.devices = 2, .seed = 1, .has_peer_access = has_peer_access});
}

SharedPlace place_in(const std::vector<std::byte>& exported) {
  SharedPlace place;
  REQUIRE(exported.size() == sizeof place);
  std::memcpy(&place, exported.data(), sizeof place);
  return place;
}

/// As import_memory() of bytes in which something was changed.
bool is_refused(Driver& driver, SharedPlace place, const std::function<void(SharedPlace&)>& change) {
  change(place);
  std::vector<std::byte> exported(sizeof place);
  std::memcpy(exported.data(), &place, sizeof place);
  return !driver.import_memory(0, exported).has_value();
}

}  // namespace

TEST_CASE("memory that is mapped a second time has the same bytes, both ways", "[gpu][host][sharing]") {
  const auto owner = make_driver(), other = make_driver();
  TestMemory<int> before(*owner, 1);  // the next one is not the first of its file
  TestMemory<int> memory(*owner, kInts);
  memory.write(std::vector<int>(kInts, 7));
  const auto imported = other->import_memory(1, owner->export_memory(0, memory.get()));
  REQUIRE(imported.has_value());
  CHECK(imported->device == 1);
  REQUIRE(imported->address != nullptr);
  REQUIRE(imported->address != memory.get());
  CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % 256 == 0);
  auto* const values = static_cast<int*>(imported->address);
  CHECK(values[kInts - 1] == 7);
  {
    const TestStream stream(*other);
    other->fill(values + 1, 0, sizeof(int), stream);
    settle(*other, stream);
  }
  std::vector<int> expected(kInts, 7);
  expected[1] = 0;
  CHECK(memory.read() == expected);
  other->close_imported(*imported);
  CHECK(memory.read() == expected);
}

TEST_CASE("memory in reach that may not be mapped is the end of memory, not out of reach", "[gpu][host][sharing]") {
  if (kaon::testing::kHasAddressSanitizer || kaon::testing::kHasThreadSanitizer)
    return;  // they map memory of their own
  const auto owner = make_driver(), other = make_driver();
  const TestMemory<int> memory(*owner, kInts);
  const std::vector<std::byte> exported = owner->export_memory(0, memory.get());
  std::string text;
  try {
    const kaon::testing::FullAddressSpace full;
    (void)other->import_memory(1, exported);
  } catch (const kaon::runtime::OutOfMemory& error) {
    text = error.what();
  }
  CHECK(text.find("bytes of device memory cannot be mapped") != text.npos);
  CHECK(text.find("ulimit -v") != text.npos);
}

TEST_CASE("only what a device has allocated is exported, from its first byte", "[gpu][host][sharing]") {
  const auto driver = make_driver();
  auto* const memory = static_cast<std::byte*>(driver->allocate(0, 100));
  void* const pinned = driver->allocate_pinned(100);
  int local = 0;
  CHECK_FALSE(driver->export_memory(0, memory).empty());
  CHECK(driver->export_memory(0, memory + 1).empty());
  CHECK(driver->export_memory(1, memory).empty());
  CHECK(driver->export_memory(0, pinned).empty());
  CHECK(driver->export_memory(0, &local).empty());
  CHECK(driver->export_memory(0, nullptr).empty());
  driver->free(0, memory);
  CHECK(driver->export_memory(0, memory).empty());
  driver->free_pinned(pinned);
}

TEST_CASE("bytes that name no memory are refused", "[gpu][host][sharing][bad input]") {
  const auto driver = make_driver();
  const TestMemory<int> memory(*driver, kInts);
  const std::vector<std::byte> exported = driver->export_memory(0, memory.get());
  const SharedPlace place = place_in(exported);
  CHECK_FALSE(is_refused(*driver, place, [](SharedPlace&) {}));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { ++wrong.file; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { wrong.bytes = 0; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { ++wrong.bytes; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { wrong.bytes = ~std::uint64_t{0}; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { wrong.offset = ~std::uint64_t{0}; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { wrong.offset += 1; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { wrong.descriptor = -1; }));
  CHECK(is_refused(*driver, place, [](SharedPlace& wrong) { wrong.process = 0; }));
  CHECK_FALSE(driver->import_memory(0, {}).has_value());
  CHECK_FALSE(driver->import_memory(0, std::span(exported).first(exported.size() - 1)).has_value());
}

TEST_CASE("devices without peer access map nothing", "[gpu][host][sharing]") {
  const auto owner = make_driver(), apart = make_driver(false);
  const TestMemory<int> memory(*owner, kInts);
  CHECK_FALSE(apart->import_memory(0, owner->export_memory(0, memory.get())).has_value());
}

TEST_CASE("memory that its owner frees stays mapped elsewhere, and is never given out again", "[gpu][host][sharing]") {
  const auto owner = make_driver(), other = make_driver();
  std::optional<TestMemory<int>> memory(std::in_place, *owner, kInts);
  memory->write(std::vector<int>(kInts, 7));
  const auto imported = other->import_memory(0, owner->export_memory(0, memory->get()));
  REQUIRE(imported.has_value());
  memory.reset();
  TestMemory<int> next(*owner, kInts);
  next.write(std::vector<int>(kInts, 8));
  CHECK(static_cast<const int*>(imported->address)[0] == 0);
  CHECK(static_cast<const int*>(imported->address)[kInts - 1] == 0);
  // The mapping is left to the driver, which knows what was never closed.
}

TEST_CASE("what an emulation had that is gone cannot be mapped", "[gpu][host][sharing]") {
  auto owner = make_driver();
  const auto other = make_driver();
  const std::vector<std::byte> exported = owner->export_memory(0, owner->allocate(0, 100));
  REQUIRE(place_in(exported).process == getpid());
  owner.reset();
  CHECK_FALSE(other->import_memory(0, exported).has_value());
}

TEST_CASE("a process maps and writes the memory of another's device", "[gpu][host][sharing]") {
  const auto owner = make_driver();
  TestMemory<int> memory(*owner, kInts);
  memory.write(std::vector<int>(kInts, 7));
  const SharedPlace place = place_in(owner->export_memory(0, memory.get()));
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    HostImports imports;
    auto* const values = static_cast<int*>(imports.open(place));
    if (values == nullptr || values[kInts - 1] != 7) _exit(1);
    values[0] = 9;
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  CHECK(memory.read()[0] == 9);
}
