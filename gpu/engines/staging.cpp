// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/staging.hpp"

#include <algorithm>
#include <new>

#include "kaon/gpu/device/clock.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void StagedTransfer::start(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record,
                           Work& done) {
  Pe& pe = device.pe();
  make<StagedTransfer>(pe.activities(), pe.pool(), device, way, other, counter, record, done).advance();
}

StagedTransfer::StagedTransfer(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record,
                               Work& done)
    : device_(device),
      way_(way),
      other_(other),
      counter_(counter),
      record_(record),
      done_(done),
      bytes_(record.bytes),
      since_(now_ns()) {
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
  ++device_.moving_;
  device_.wait(device_.staging_stream(way), position_of(record));
}

std::size_t StagedTransfer::bytes_of(std::size_t number) const {
  return std::min(kStagedPiece, bytes_ - number * kStagedPiece);
}

void StagedTransfer::advance() {
  if (is_busy_ || device_.pe().exchange().port() == nullptr) return;  // without a port the run is over: give_up() comes
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
  piece.block = &device_.take_pinned(bytes_of(piece.number));  // the network waits for no stream
  if (way_ == Way::out)
    copy(piece);
  else
    piece.state = State::ready;
  return true;
}

// Between the device's memory and the piece's, in the order of the staging stream.
void StagedTransfer::copy(Piece& piece) {
  piece.state = State::copying;
  StreamState& stream = device_.staging_stream(way_);
  std::byte* place = record_.data + piece.number * kStagedPiece;
  void* to = way_ == Way::out ? piece.block->data : place;
  const void* from = way_ == Way::out ? place : piece.block->data;
  device_.driver().copy(to, from, bytes_of(piece.number), stream.native);
  if (device_.completions().when_reached({&stream, ++stream.submitted}, piece)) reached(piece);
}

void StagedTransfer::reached(Piece& piece) {
  if (way_ == Way::out)
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
  if (give_to_port(*next)) moved(*next);
  return true;
}

bool StagedTransfer::give_to_port(Piece& piece) {
  Port& port = *device_.pe().exchange().port();
  const PayloadMemory memory{piece.block->data, bytes_of(piece.number), MemoryKind::host, nullptr};
  return way_ == Way::out ? port.send_payload(other_, counter_, memory, piece)
                          : port.receive_payload(other_, counter_, memory, piece);
}

void StagedTransfer::moved(Piece& piece) {
  if (way_ == Way::out)
    free(piece);
  else
    copy(piece);
  advance();
}

void StagedTransfer::free(Piece& piece) {
  device_.pinned().give_back(*piece.block, {});
  piece.state = State::free;
  ++ended_;
}

void StagedTransfer::finish() {
  Device& device = device_;
  Work& done = done_;
  if (way_ == Way::out)
    device_.pe().exchange().transfers().add(Path::staged, bytes_, seconds_since(since_));
  else
    device_.has_arrived(record_);
  end();
  device.complete(done);
}

// The run ends: the port has gone and calls nobody any more, so the memory of what was to be sent is free.
void StagedTransfer::give_up() noexcept {
  Device& device = device_;
  Work* unsent = way_ == Way::out ? &done_ : nullptr;
  end();
  if (unsent != nullptr) device.complete(*unsent);
}

// Pieces that are under way are given back too.
StagedTransfer::~StagedTransfer() {
  for (Piece& piece : pieces_) {
    if (piece.state == State::free) continue;
    device_.completions().forget(piece);
    device_.pinned().give_back(*piece.block, {});
  }
  --device_.moving_;
}

}  // namespace kaon::gpu
