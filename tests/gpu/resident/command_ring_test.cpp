// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/wire/command_ring.hpp"

#include <vector>

#include "kaon/gpu/kernels/host_words.hpp"
#include "tests/gpu/resident/ring.kernels.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::uint32_t kCapacity = 4;

/// How many commands came wrongly, of `producers` blocks that put `each` of them from position `first` on.
std::uint32_t count_wrong(Driver& driver, unsigned producers, std::uint32_t each, std::uint32_t first,
                          bool acquires = false) {
  const TestMemory<CommandSlot> slots(driver, kCapacity);
  TestMemory<std::uint32_t> head(driver, 1), given(driver, 1), cells(driver, producers * each), wrong(driver, 1);
  head.write({first});
  given.write({first});
  wrong.write({0});
  cells.write(std::vector<std::uint32_t>(producers * each));
  const TestStream stream(driver);
  driver.fill(slots.get(), 0x55, slots.bytes(), stream);  // no epoch of this test
  const CommandRing ring{slots.get(), head.get(), nullptr, kCapacity, Scope::device};
  launch(driver.backend(), stream, {{producers + 1}, {64}},
         ManyToOne{ring, given.get(), cells.get(), first, each, wrong.get(), Missing::nothing, acquires});
  settle(driver, stream);
  CHECK(head.read() == std::vector<std::uint32_t>{first + producers * each});
  return wrong.read()[0];
}

struct HostRing {
  std::vector<CommandSlot> slots = std::vector<CommandSlot>(kCapacity);
  std::uint32_t head = 0, far = 0;
  CommandRing near() { return {slots.data(), &head, nullptr, kCapacity, Scope::system}; }
  CommandRing apart() { return {slots.data(), &head, &far, kCapacity, Scope::system}; }
};

bool is_there(const CommandRing& ring, std::uint32_t position, Command& command) {
  HostWords::Line line;
  ring.look_at<HostWords>(position, line);
  if (!line.is_of(epoch_at(position))) return false;
  ring.take<HostWords>(line, command);
  return true;
}

}  // namespace

TEST_CASE("commands of many blocks come whole, in each one's order", "[gpu][ring]") {
  on_each_back_end([](Driver& driver) {
    CHECK(count_wrong(driver, 1, 50, 0) == 0);
    CHECK(count_wrong(driver, 7, 30, 0) == 0);
    CHECK(count_wrong(driver, 7, 30, 0, true) == 0);
  });
}

TEST_CASE("a ring goes on behind its last position", "[gpu][ring]") {
  on_each_back_end([](Driver& driver) { CHECK(count_wrong(driver, 3, 20, 0xffff'fff0) == 0); });
}

TEST_CASE("a command is there when all of it is", "[gpu][ring]") {
  HostRing host;
  const CommandRing ring = host.near();
  Command command{};
  CHECK_FALSE(is_there(ring, 0, command));
  for (unsigned i = 0; i < 4; ++i) {
    CHECK_FALSE(is_there(ring, 0, command));
    HostWords::put(host.slots[0].quads[i], {{i, i + 10, i + 20}, epoch_at(0)});
  }
  REQUIRE(is_there(ring, 0, command));
  CHECK(std::vector<std::uint32_t>(command.words, command.words + Command::kWords) ==
        std::vector<std::uint32_t>{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23});
  CHECK_FALSE(is_there(ring, kCapacity, command));  // the same slot, a round later
}

TEST_CASE("a ring has room for what was taken", "[gpu][ring]") {
  HostRing host;
  const CommandRing near = host.near(), apart = host.apart();
  for (std::uint32_t i = 0; i < kCapacity; ++i) CHECK(near.has_room<HostWords>(i));
  CHECK_FALSE(near.has_room<HostWords>(kCapacity));
  near.free<HostWords>(1);
  CHECK(near.has_room<HostWords>(kCapacity));
  CHECK_FALSE(near.has_room<HostWords>(kCapacity + 1));
  apart.free<HostWords>(3);  // is only looked at when there seems to be no room
  CHECK(host.head == 1);
  CHECK(apart.has_room<HostWords>(kCapacity));
  CHECK(host.head == 1);
  CHECK(apart.has_room<HostWords>(kCapacity + 2));
  CHECK(host.head == 3);
  CHECK_FALSE(apart.has_room<HostWords>(kCapacity + 3));
}
