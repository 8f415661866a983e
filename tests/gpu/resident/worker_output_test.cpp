// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/device/worker_output.hpp"

#include <memory>

#include "tests/gpu/resident/resident_rings.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::uint32_t kWorkers = 2, kCapacity = 4, kHeld = 2, kSerial = 7;

struct SentEntries : PlainEntries {
  static constexpr bool kHavePeers = true, kHaveAwaiting = true;
};
struct OneThread {
  using Words = HostWords;
  static constexpr bool kIsWarp = false;
};

/// Of worker 0.
struct Sent {
  using Output = WorkerOutput<SentEntries, OneThread>;
  ResidentRings rings{kWorkers, kCapacity};
  std::vector<HeldTask> held = std::vector<HeldTask>(kHeld + 1);
  std::unique_ptr<Output::Shared> shared = std::make_unique<Output::Shared>();
  Output output{rings.view, 0, *shared};

  Sent() {
    rings.view.held = held.data();
    rings.view.held_capacity = kHeld;
    rings.view.serial = kSerial;
    output.from_peers().begin();
  }
  void send(std::uint32_t scheduler = kSerial) {
    output.send(scheduler, to_command(EntryCommand{{task::workers(1, 1) | 5}}));
  }
  ResidentFault fault() const { return static_cast<ResidentFault>(rings.view.host->fault); }
  bool is_there(std::uint32_t position) const {
    HostWords::Line line;
    rings.view.from_device(1).look_at<HostWords>(position, line);
    return line.is_of(epoch_at(position));
  }
};

}  // namespace

TEST_CASE("a worker holds so many tasks while rings are full, and one more is an error", "[gpu][ring]") {
  Sent of;
  for (std::uint32_t i = 0; i < kCapacity + kHeld; ++i) of.send();
  CHECK(of.fault() == ResidentFault::none);
  CHECK(of.output.is_holding());
  CHECK_FALSE(of.output.can_pass_on());
  of.rings.view.workers[1].head = 2;
  CHECK(of.output.can_pass_on());
  of.output.pass_on();
  CHECK_FALSE(of.output.is_holding());
  for (std::uint32_t i = 0; i < kHeld; ++i) CHECK(of.is_there(kCapacity + i));
  for (std::uint32_t i = 0; i <= kHeld; ++i) of.send();
  CHECK(of.fault() == ResidentFault::held_too_many);
  CHECK(of.rings.view.host->faulty_entry == 5);
  CHECK(of.output.has_failed());
  CHECK(of.shared->held == kHeld);
}

TEST_CASE("a held task that is behind another one passes on when it has room", "[gpu][ring]") {
  Sent of;
  for (std::uint32_t i = 0; i < kCapacity + 2; ++i) of.send();
  of.rings.view.workers[1].head = 1;
  CHECK(of.output.can_pass_on());
  of.output.pass_on();
  CHECK(of.is_there(kCapacity));
  CHECK(of.shared->held == 1);
  CHECK_FALSE(of.output.can_pass_on());
}

TEST_CASE("tasks go to objects of the scheduler and of its connected peers alone", "[gpu][ring]") {
  Sent of;
  of.send(owner::peer(kSerial, 0));  // nobody is connected
  CHECK(of.fault() == ResidentFault::foreign_object);
  of.rings.view.host->fault = 0;
  PeerWords words[kWorkers]{};
  CommandSlot slots[kWorkers * kCapacity]{};
  of.rings.view.peers[0] = {slots, words, slots, words, kCapacity};
  of.rings.view.shared->peers = 1;
  of.send(owner::peer(kSerial, 0));
  CHECK(of.fault() == ResidentFault::none);
  CHECK(of.rings.view.shared->traffic == std::uint64_t{1} << 32);
  of.send(owner::peer(kSerial + 1, 0));  // a peer of another scheduler
  CHECK(of.fault() == ResidentFault::foreign_object);
  CHECK(words[1].made == 1);
}

TEST_CASE("each task that a worker runs is another one to who looks", "[gpu][ring]") {
  Sent of;
  of.shared->command = to_command(EntryCommand{{task::workers(0, 1) | 5}});
  of.output.note_running();
  const std::uint32_t first = of.rings.view.running[0];
  of.output.note_running();
  CHECK(of.rings.view.running[0] != first);
  CHECK((of.rings.view.running[0] & 0xff) == 5);
  of.output.note_idle();
  CHECK(of.rings.view.running[0] == 0);
}

TEST_CASE("of the flags that a task waits for one that is missing is named", "[gpu][ring]") {
  Sent of;
  std::uint32_t words[2]{6, 5};
  const AwaitedFlag flags[2]{{{&words[0]}, 3}, {{&words[1]}, 3}};
  of.output.await(EntryCommand{{task::workers(0, 1) | 9}}, {flags, 2}, 2);
  of.output.fail_by_flag();
  CHECK(of.fault() == ResidentFault::flag_not_reached);
  CHECK(of.rings.view.host->faulty_entry == 9);
  CHECK(of.rings.view.host->faulty_flag == 1);
  CHECK(of.rings.view.host->flag_has == 5);
  CHECK(of.rings.view.host->flag_wanted == 6);
}
