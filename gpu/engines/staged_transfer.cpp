// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/staged_transfer.hpp"

#include <algorithm>

#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void StagedTransfer::start(NetworkStaging& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& transfer = make<StagedTransfer>(pe.activities(), pe.pool(), engine, passage);
  const Position ready = position_of(passage.record);
  if (!ready.may_wait_for_flag() || engine.device().stream_watcher().when_reached(ready, transfer)) transfer.begin();
}

StagedTransfer::StagedTransfer(NetworkStaging& engine, const Passage& passage)
    : Transfer(engine, passage), stream_(engine.stream(passage.way)), bytes_(passage.record.bytes) {
  run = [](Work& self, Pe&) { static_cast<StagedTransfer&>(self).begin(); };
  for (Piece& piece : pieces_) {
    piece.owner = this;
    piece.run = [](Work& self, Pe&) {
      auto& ended = static_cast<Piece&>(self);
      if (ended.state == State::copying)
        ended.owner->reached(ended);
      else
        ended.owner->moved(ended);
    };
  }
}

// What other chares send is copied on this stream, too.
void StagedTransfer::begin() {
  begin_time();
  device().order().wait(stream_, position_of(record()));
  advance();
}

std::size_t StagedTransfer::bytes_of(std::size_t number) const {
  return std::min(kStagedPiece, bytes_ - number * kStagedPiece);
}

void StagedTransfer::advance() {
  if (is_busy_ || port() == nullptr) return;  // without a port the run is over: give_up() comes
  is_busy_ = true;
  for (bool has_started = true; has_started;) {
    has_started = false;
    for (Piece& piece : pieces_) has_started |= piece.state == State::free && start_piece(piece);
    has_started |= move_next();
  }
  is_busy_ = false;
  if (ended_ == pieces()) finish();
}

bool StagedTransfer::start_piece(Piece& piece) {
  if (started_ == pieces()) return false;
  piece.number = started_++;
  piece.block = &device().memory().take_pinned(bytes_of(piece.number));  // the network waits for no stream
  if (way() == Way::out)
    copy(piece);
  else
    piece.state = State::ready;
  return true;
}

// Between the device's memory and the piece's, in the order of the staging stream.
void StagedTransfer::copy(Piece& piece) {
  piece.state = State::copying;
  std::byte* place = record().data + piece.number * kStagedPiece;
  void* to = way() == Way::out ? piece.block->data : place;
  const void* from = way() == Way::out ? place : piece.block->data;
  device().driver().copy(to, from, bytes_of(piece.number), stream_.native);
  if (device().stream_watcher().when_reached({&stream_, ++stream_.submitted}, piece)) reached(piece);
}

void StagedTransfer::reached(Piece& piece) {
  if (way() == Way::out)
    piece.state = State::ready;
  else
    free(piece);
  advance();
}

// In the order of the pieces, at both ends.
bool StagedTransfer::move_next() {
  const auto next = std::find_if(pieces_.begin(), pieces_.end(),
                                 [&](const Piece& p) { return p.state == State::ready && p.number == given_; });
  if (next == pieces_.end()) return false;
  ++given_;
  next->state = State::moving;
  if (give_piece_to_port(*next)) moved(*next);
  return true;
}

bool StagedTransfer::give_piece_to_port(Piece& piece) {
  return give_to_port({piece.block->data, bytes_of(piece.number), MemoryKind::host, nullptr}, piece);
}

void StagedTransfer::moved(Piece& piece) {
  if (way() == Way::out)
    free(piece);
  else
    copy(piece);
  advance();
}

void StagedTransfer::free(Piece& piece) {
  device().memory().give_back(*piece.block, {});
  piece.state = State::free;
  ++ended_;
}

void StagedTransfer::finish() {
  if (way() == Way::out)
    count_sent();
  else
    note_arrived();
  end_and_tell();
}

// The run ends: the port has gone and calls nobody any more, so the memory of what was to be sent is free.
void StagedTransfer::give_up() noexcept {
  if (way() == Way::out)
    end_and_tell();
  else
    end();
}

// Pieces that are under way are given back too.
StagedTransfer::~StagedTransfer() {
  for (Piece& piece : pieces_) {
    if (piece.state == State::free) continue;
    device().stream_watcher().forget(piece);
    device().memory().give_back(*piece.block, {});
  }
}

}  // namespace kaon::gpu
