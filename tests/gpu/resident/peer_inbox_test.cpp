// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/device/peer_inbox.hpp"

#include "tests/gpu/resident/resident_rings.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::uint32_t kPeers = 6, kWorkers = 3, kCapacity = 16, kWorker = 1, kLevels = 2;

/// Notes what is counted as made when others hear of what was taken.
struct NotingWords : HostWords {
  static inline const std::uint64_t* activity = nullptr;
  static inline std::uint64_t known = 0;
  static void count_release(std::uint64_t* word, std::uint64_t by) {
    known = peek(activity);
    HostWords::count_release(word, by);
  }
};

using Inbox = PeerInbox<NotingWords, kLevels>;

/// Of one worker, whose peers the test is. A ring for urgent tasks lies behind those of all workers.
struct PeerRings {
  ResidentRings rings{kWorkers, kCapacity};
  std::vector<CommandSlot> slots = std::vector<CommandSlot>(1UL * kPeers * kLevels * kWorkers * kCapacity);
  std::vector<CommandSlot> far_slots = slots;
  std::vector<PeerWords> words = std::vector<PeerWords>(1UL * kPeers * kLevels * kWorkers), far_words = words;
  Inbox::Shared shared{};
  Inbox inbox{rings.view, kWorker, shared};

  PeerRings() {
    constexpr std::size_t rings_of_one = kLevels * kWorkers;
    for (std::size_t i = 0; i < kPeers; ++i)
      rings.view.peers[i] = {&slots[i * rings_of_one * kCapacity], &words[i * rings_of_one],
                             &far_slots[i * rings_of_one * kCapacity], &far_words[i * rings_of_one], kCapacity};
  }
  void connect(std::uint32_t peers) { rings.view.shared->peers = peers; }
  static std::uint32_t ring(bool is_urgent) { return is_urgent ? kWorkers + kWorker : kWorker; }
  void send(std::uint32_t peer, std::uint32_t position, bool is_urgent, unsigned from_quad = 0) {
    CommandSlot* const of_ring = rings.view.peers[peer].slots + std::size_t{ring(is_urgent)} * kCapacity;
    put(of_ring[position % kCapacity], position, command_of(100 * peer + position + 1), from_quad);
  }
  std::uint32_t taken(std::uint32_t peer, bool is_urgent) {
    return rings.view.peers[peer].words[ring(is_urgent)].taken;
  }
  std::uint32_t freed(std::uint32_t peer, bool is_urgent) {
    return rings.view.peers[peer].far_words[ring(is_urgent)].head;
  }
  /// The number of the command that is taken; those that are urgent have 1000 more.
  std::uint32_t take() {
    Inbox::Found found{};
    if (!inbox.find(found)) return 0;
    Command command;
    inbox.take(found, command);
    return command.words[0] + (Inbox::is_urgent(found) ? 1000 : 0);
  }
  /// Another launch.
  void begin_again() {
    inbox.leave();
    shared = {};
    inbox.begin();
  }
};

}  // namespace

TEST_CASE("peers have their turns while each sends, urgent tasks first", "[gpu][ring]") {
  PeerRings of;
  of.connect(kPeers);
  of.inbox.begin();
  CHECK(of.take() == 0);
  for (std::uint32_t peer = 0; peer < kPeers; ++peer)
    for (std::uint32_t position = 0; position < 2; ++position) of.send(peer, position, false);
  of.send(4, 0, true);
  CHECK(of.take() == 1401);
  for (const std::uint32_t peer : {5U, 0U, 1U, 2U, 3U, 4U, 5U, 0U, 1U, 2U, 3U, 4U})
    CHECK(of.take() % 1000 / 100 == peer);
  CHECK(of.take() == 0);
}

TEST_CASE("a peer's task is there when all of it is", "[gpu][ring]") {
  PeerRings of;
  of.connect(kPeers);
  of.inbox.begin();
  of.send(2, 0, true, 1);
  of.send(3, 0, false, 1);
  CHECK(of.take() == 0);
  of.send(3, 0, false);
  CHECK(of.take() == 301);
}

TEST_CASE("a worker finds the way to each peer, also to one that has just come", "[gpu][ring]") {
  PeerRings of;
  of.connect(1);
  of.inbox.begin();
  of.connect(kPeers);
  CHECK_FALSE(of.inbox.knows(kPeers));
  CHECK(of.inbox.has(kPeers - 1));
  CHECK_FALSE(of.inbox.has(kPeers));
  for (int turn = 0; turn < 2; ++turn, of.inbox.note_peers())
    for (std::uint32_t peer = 0; peer < kPeers; ++peer) {
      CHECK(of.inbox.way_to(peer).words == of.rings.view.peers[peer].words);
      CHECK(of.inbox.way_to(peer).far_slots == of.rings.view.peers[peer].far_slots);
    }
  CHECK(of.inbox.knows(kPeers));
}

TEST_CASE("what was taken from peers is counted, and their slots are free, in the next launch, too", "[gpu][ring]") {
  PeerRings of;
  of.connect(2);
  of.inbox.begin();
  of.inbox.note_taken();
  CHECK(of.rings.view.shared->traffic == 0);
  of.send(0, 0, true);
  for (std::uint32_t position = 0; position < 2; ++position) of.send(1, position, false);
  while (of.take() != 0) continue;
  CHECK(of.freed(1, false) == 0);  // not yet
  NotingWords::activity = &of.rings.view.shared->activity;
  of.inbox.note_taken();
  CHECK(NotingWords::known == tally::made(3));
  CHECK(of.rings.view.shared->activity == tally::made(3));
  CHECK(of.rings.view.shared->traffic == 3);
  CHECK(of.freed(0, true) == 1);
  CHECK(of.freed(0, false) == 0);
  CHECK(of.freed(1, false) == 2);
  of.begin_again();
  CHECK(of.taken(0, true) == 1);
  CHECK(of.taken(1, false) == 2);
  of.send(0, 1, true);
  of.send(1, 2, false);
  CHECK(of.take() == 1002);
  CHECK(of.take() == 103);
  CHECK(of.take() == 0);
  of.inbox.note_taken();
  CHECK(of.rings.view.shared->traffic == 5);
}

TEST_CASE("a peer that sends without a pause hears of free slots", "[gpu][ring]") {
  PeerRings of;
  of.connect(1);
  of.inbox.begin();
  for (std::uint32_t position = 0; position < kCapacity; ++position) of.send(0, position, false);
  for (std::uint32_t i = 0; i < kCapacity; ++i) (void)of.take();
  CHECK(of.freed(0, false) == kCapacity);
}

TEST_CASE("an owner is a scheduler, or a peer of it alone", "[gpu][ring]") {
  CHECK(owner::is_peer_of(owner::peer(7, 0), 7));
  CHECK(owner::number_of_peer(owner::peer(7, 3)) == 3);
  CHECK_FALSE(owner::is_peer_of(7, 7));
  CHECK_FALSE(owner::is_peer_of(owner::peer(7, 0), 8));
}
