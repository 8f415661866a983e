// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/device/guest_inbox.hpp"

#include "tests/gpu/resident/resident_rings.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

using Inbox = GuestInbox<HostWords>;
constexpr std::uint32_t kGuests = 3, kCapacity = 4;

struct GuestRings {
  ResidentRings rings{1, kCapacity, kGuests};
  GuestInboxShared shared{};
  Inbox inbox{rings.view, shared};

  CommandSlot& slot(std::uint32_t guest, std::uint32_t position) {
    return rings.view.from_guest(guest).slots[position % (2 * kCapacity)];
  }
  /// The number of the command that is taken, and whose it was: above.
  std::uint32_t take(std::uint32_t count = 1) {
    Inbox::Found found{};
    if (!inbox.find(found)) return 0;
    Command command;
    inbox.take(found, command);
    inbox.note_taken(count);
    return shared.found << 16 | command.words[0];
  }
};

}  // namespace

TEST_CASE("guests have their turns while each sends", "[gpu][ring]") {
  GuestRings of;
  of.inbox.begin();
  CHECK(of.take() == 0);
  for (std::uint32_t guest = 0; guest < kGuests; ++guest)
    for (std::uint32_t i = 0; i < 2; ++i) put(of.slot(guest, i), i, command_of(1 + i));
  for (std::uint32_t i = 0; i < 2; ++i)
    for (std::uint32_t guest = 0; guest < kGuests; ++guest) CHECK(of.take() == (guest << 16 | (1 + i)));
  CHECK(of.take() == 0);
  CHECK(of.shared.all_taken == 2 * kGuests);
}

TEST_CASE("a guest's task is there when all of it is", "[gpu][ring]") {
  GuestRings of;
  of.inbox.begin();
  put(of.slot(1, 0), 0, command_of(1), 1);
  CHECK(of.take() == 0);
  put(of.slot(1, 0), 0, command_of(1));
  CHECK(of.take() == (1U << 16 | 1));
}

TEST_CASE("what is known of guests is in their words, also for the next launch", "[gpu][ring]") {
  GuestRings of;
  of.inbox.begin();
  for (std::uint32_t i = 0; i < 2 * kCapacity; ++i) put(of.slot(2, i), i, command_of(1 + i));
  CHECK(of.take(3) == (2U << 16 | 1));
  CHECK(of.rings.view.guest_host[2].tasks_taken == 3);
  of.shared = {};
  of.inbox.begin();
  CHECK(of.shared.all_taken == 3);
  for (std::uint32_t i = 3; i < 2 * kCapacity; ++i) CHECK(of.take() == (2U << 16 | (1 + i)));
  CHECK(of.take() == 0);
}
