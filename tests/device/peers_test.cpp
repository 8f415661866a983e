// SPDX-License-Identifier: Apache-2.0
// Which devices of which neighbors a process maps, and when.
#include "kaon/gpu/device/peers.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "tests/device/noting_driver.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

/// A process that has devices, and what it asks of the others.
struct PeersOfOne {
  explicit PeersOfOne(int devices = 1) : driver(make_driver(devices), notes) {
    for (int device = 0; device < devices; ++device) numbers.push_back(device);
  }
  static std::unique_ptr<gpu::Driver> make_driver(int devices) {
    gpu::HostSettings settings;
    settings.devices = devices;
    settings.memory_bytes = std::size_t{1} << 20;
    settings.seed = 1;
    return gpu::make_host_driver(settings);
  }

  DriverNotes notes;
  NotingDriver driver;
  std::optional<gpu::Peers> peers{driver};
  std::vector<int> numbers;  // of its devices
};

}  // namespace

TEST_CASE("of many neighbors some are asked for their devices as the run starts, all over them", "[device][peers]") {
  for (const int count : {1, 15, 16, 17, 100, 1000}) {
    PeersOfOne others, one;
    const auto contact = others.peers->contact(others.numbers);
    (void)one.peers->contact(one.numbers);
    std::vector<int> neighbors;
    for (int process = 1; process <= count; ++process) neighbors.push_back(process);
    std::set<int> asked;
    one.peers->meet(neighbors, [&](int process) {
      CHECK(asked.insert(process).second);
      return contact;
    });
    CHECK(asked.size() <= 16);
    CHECK(asked.size() >= std::min<std::size_t>(neighbors.size(), 8));
    CHECK(*asked.begin() == 1);
    CHECK(*asked.rbegin() > count - count / 8 - 1);
    CHECK(one.notes.imports == 1);  // one device, of which all told
  }
}

TEST_CASE("each device of a process maps each of another's as the run starts, whatever PEs share them",
          "[device][peers]") {
  PeersOfOne other(2), one(3);
  const auto contact = other.peers->contact(std::vector{0, 0, 1, 1});
  (void)one.peers->contact(std::vector{0, 1, 1, 2});
  one.peers->meet(std::vector{1}, [&](int) { return contact; });
  CHECK(one.notes.imports == 6);
  for (const int device : one.numbers)
    for (const PeId pe : {0U, 1U, 2U, 3U}) CHECK(one.peers->is_in_reach(device, 1, pe));
  CHECK(one.notes.imports == 6);
}

TEST_CASE("a process lends others one piece of each device's memory, whatever PEs share it, and takes it back",
          "[device][peers]") {
  PeersOfOne one(2);
  (void)one.peers->contact(std::vector{0, 0, 1, 1, 0});
  CHECK(one.notes.exports == 2);
  CHECK(one.notes.held == 2);
  one.peers.reset();
  CHECK(one.notes.held == 0);
}

TEST_CASE("a device whose memory cannot be lent is not tried, and in reach as far as is known", "[device][peers]") {
  PeersOfOne other, one;
  other.notes.exports_nothing = true;
  const auto contact = other.peers->contact(other.numbers);
  (void)one.peers->contact(one.numbers);
  one.peers->meet(std::vector{1}, [&](int) { return contact; });
  CHECK(one.peers->is_in_reach(0, 1, 0));
  CHECK(one.notes.imports == 0);
}

TEST_CASE("a neighbor that was not asked as the run started is asked when something goes there, once",
          "[device][peers]") {
  PeersOfOne other, one;
  const auto contact = other.peers->contact(other.numbers);
  int asked = 0;
  one.peers->meet({}, [&](int) {
    ++asked;
    return contact;
  });
  CHECK(asked == 0);
  for (int i = 0; i < 3; ++i) CHECK(one.peers->is_in_reach(0, 5, 0));
  CHECK(asked == 1);
  CHECK(one.notes.imports == 1);
}

TEST_CASE("where a process tells nothing of its devices, none is tried and all are in reach", "[device][peers]") {
  PeersOfOne one;
  CHECK(one.peers->is_in_reach(0, 1, 0));  // nobody to ask yet
  one.peers->meet(std::vector{2}, [](int) { return std::vector<std::byte>(); });
  CHECK(one.peers->is_in_reach(0, 2, 0));
  CHECK(one.peers->is_in_reach(0, 2, 7));
  CHECK(one.notes.imports == 0);
}

}  // namespace kaon::testing
