// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kaon/gpu/engines/shared_pieces.hpp"
#include "kaon/gpu/engines/staging_streams.hpp"

namespace kaon::gpu {

class SharedReceive;
class SharedSend;

/// The message of a sender to its receiver under the payload's number: a piece that is filled, or kNone while the
/// sender waits until the payload is wanted.
struct PieceNotice {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  SharedPieces::Address address;
  std::uint32_t piece = kNone;
  std::uint32_t bytes = 0;
  std::uint64_t offset = 0;    // of the payload
  std::uint64_t transfer = 0;  // the sender's number for it
};

/// Through pinned memory that processes of one host share. An engine holds the pieces that its PE sends in, those of
/// others that it reads, and which transfers wait.
///
/// Half of the pieces are filled before anybody asks. The others are filled only for receivers that have said that they
/// want the payload and so read a piece and give it back whatever else happens: payloads that nobody fetches (later())
/// cannot keep the pieces from those that somebody awaits.
class SharedStaging final : public Engine {
 public:
  /// Pieces that only wanted payloads get.
  static constexpr std::size_t kSpared = SharedPieces::kPieces / 2;

  /// `is_refused`: KAON_TESTING=stage_through=network.
  SharedStaging(Device& device, bool is_refused);
  ~SharedStaging() override;

  Ability ability(PeId to, const PayloadRecord& record) override;
  bool submit(const Passage& passage) override;
  /// Looks for what other processes wrote into shared memory.
  bool progress() override;
  bool must_look() const override { return !unwanted_.empty() || !short_.empty() || !unheard_.empty(); }

  // --- for its transfers
  StreamState& stream(Way way) { return streams_.of(way); }
  /// Made at the first send.
  SharedPieces& own();
  /// The pieces of another PE, opened once.
  SharedPieces& of(SharedPieces::Address address);

  std::uint64_t next_number() { return ++number_; }
  /// advance() is called when the transfer of this number is wanted.
  void wait_to_be_wanted(std::uint64_t number, SharedSend& send) { unwanted_.emplace(number, &send); }
  /// advance() is called when a piece is free.
  void wait_for_piece(SharedSend& send) { short_.push_back(&send); }
  /// Asks the sender for its transfer, now or when it can be asked.
  void want(SharedReceive& receive);
  void forget(SharedSend& send) noexcept;
  void forget(SharedReceive& receive) noexcept;

 private:
  bool take_wanted();
  bool serve_waiting();
  bool ask_again();

  bool is_refused_;
  StagingStreams streams_;
  std::uint64_t number_ = 0;
  std::unique_ptr<SharedPieces> own_;
  std::vector<std::unique_ptr<SharedPieces>> opened_;
  std::unordered_map<std::uint64_t, SharedSend*> unwanted_;
  std::deque<SharedSend*> short_;  // of pieces; the first gets the next one
  std::deque<SharedReceive*> unheard_;
};

}  // namespace kaon::gpu
