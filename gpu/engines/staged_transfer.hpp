// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/device/memory.hpp"
#include "kaon/gpu/engines/network_staging.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// Bytes of the pieces of a staged payload; both ends use the same.
inline constexpr std::size_t kStagedPiece = std::size_t{1} << 20;

/// A payload that goes through host memory and the network (between processes of one host: SharedSend), in
/// pieces of pinned memory: copied off the device (or onto it) and sent (or received) one behind the other, several at
/// a time. It begins when its stream waits for no flag any more, as the copies of all payloads are on one. All pieces
/// have the payload's number; the network keeps the order of messages of one number.
class StagedTransfer final : public Transfer {
 public:
  static void start(NetworkStaging& engine, const Passage& passage);

  StagedTransfer(NetworkStaging& engine, const Passage& passage);

 private:
  static constexpr std::size_t kPieces = 4;  // under way at a time
  enum class State : std::uint8_t { free, copying, ready, moving };
  struct Piece : Work {
    StagedTransfer* owner = nullptr;
    Block* block = nullptr;
    std::size_t number = 0;  // of the payload's pieces
    State state = State::free;
  };

  ~StagedTransfer() override;
  void begin();
  std::size_t pieces() const { return (bytes_ + kStagedPiece - 1) / kStagedPiece; }
  std::size_t bytes_of(std::size_t number) const;
  void advance();
  bool start_piece(Piece& piece);
  void copy(Piece& piece);
  bool move_next();
  bool give_piece_to_port(Piece& piece);
  void reached(Piece& piece);
  void moved(Piece& piece);
  void free(Piece& piece);
  void finish();
  void give_up() noexcept override;

  StreamState& stream_;
  std::size_t bytes_;
  std::size_t started_ = 0;  // pieces
  std::size_t given_ = 0;    // pieces given to the port, in order
  std::size_t ended_ = 0;
  bool is_busy_ = false;  // advance() is running: a piece that ends at once must not begin it anew
  std::array<Piece, kPieces> pieces_;
};

}  // namespace kaon::gpu
