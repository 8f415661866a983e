// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "kaon/gpu/engines/engine.hpp"
#include "kaon/gpu/engines/host_notices.hpp"
#include "kaon/gpu/engines/staging_streams.hpp"

namespace kaon::gpu {

class FetchedReceive;
class FetchedSend;

/// Payloads within a host, without the network: the sender's PE tells on its board where they lie when they are ready.
/// If their receivers have chosen no memory, and their senders do not wait for theirs, they are read there, by the
/// kernels that use them, and the sender keeps the memory until then. Else the receiver's device fetches them, in the
/// order of the landing's stream.
class FetchedEngine final : public Engine {
 public:
  /// `most_bytes` of a payload; 0: none is fetched.
  FetchedEngine(Device& device, HostNotices& notices, const MemoryOfPayloads& memory, std::size_t most_bytes);
  ~FetchedEngine() override;

  Ability ability(PeId to, const PayloadRecord& record) override;
  bool has_room_behind(std::size_t others) const override { return sends_ + others < kMostSends; }
  void note_prepared() override { ++sends_; }
  bool submit(const Passage& passage) override;
  bool progress() override;
  bool must_look() const override { return !unposted_.empty() || !posted_.empty() || !unheard_.empty(); }

  /// Payloads whose memory their receivers keep, as far as is known.
  std::size_t lent() const { return lent_.size(); }

  // --- for its transfers
  HostNotices& notices() { return notices_; }
  const MemoryOfPayloads& memory() const { return memory_; }
  StreamState& stream() { return streams_.of(Way::in); }
  /// The payload that a PE has told of by this notice is not read any more when a stream has got so far.
  void give_back(PeId to, std::uint32_t notice, Position last_use) noexcept;
  void note_sent() { --sends_; }
  /// True if this receiver may keep a payload's memory for as long as it needs.
  bool may_lend(PeId to, std::uint64_t bytes);
  void note_lent(PeId to, std::uint64_t bytes);
  void note_back(PeId to, std::uint64_t bytes);
  /// Copies from where the notice says into the record's memory, on the stream in whose order that is used.
  void copy(PayloadRecord& record, const PayloadNotice& notice);
  /// post() is called until the board has room.
  void wait_for_room(FetchedSend& send) { add(unposted_, send); }
  /// has_been_heard_of() is called when it has.
  void wait_to_be_heard_of(FetchedSend& send) { add(posted_, send); }
  /// has_been_given_back() is called when it has. Nobody need wake for that.
  void wait_for_memory(FetchedSend& send) {
    lent_.push_back(&send);
    must_ask_for_memory_ = true;
  }
  /// fetch() is called when there is a notice.
  void wait_for_notice(FetchedReceive& receive) { add(unheard_, receive); }
  void forget(FetchedSend& send) noexcept;
  void forget(FetchedReceive& receive) noexcept { std::erase(unheard_, &receive); }

 private:
  // Under way: half of what a board holds, which carried payloads need, too. Who keeps more unfetched (later()) has
  // others go by the network.
  static constexpr std::size_t kMostSends = NoticeBoard::kNotices / 2;
  // Each look reads lines that other processes have just written, and nobody is in a hurry.
  static constexpr std::uint64_t kTurnsOfLent = 8;

  template <class Waiting, class Transfer>
  void add(Waiting& waiting, Transfer& transfer) {
    waiting.push_back(&transfer);
    must_ask_ = true;
  }

  HostNotices& notices_;
  const MemoryOfPayloads memory_;
  const std::size_t most_bytes_;
  // What waits is asked when it begins to, and whenever the PE's doorbell has been rung.
  bool must_ask_ = false, must_ask_for_memory_ = false;
  std::size_t sends_ = 0;         // also those whose messages wait to leave
  std::uint64_t lent_bytes_ = 0;  // posted as what may stay
  std::size_t lent_count_ = 0;
  std::vector<std::uint32_t> lent_to_;  // of these, by receiver
  std::uint64_t turns_ = 0;
  StagingStreams streams_;
  std::deque<FetchedSend*> unposted_;
  std::vector<FetchedSend*> posted_, lent_;
  std::vector<FetchedReceive*> unheard_;
};

}  // namespace kaon::gpu
