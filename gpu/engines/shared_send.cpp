// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_send.hpp"

#include <algorithm>

#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

// A payload goes in about eight parts, so that writing and reading overlap; of a size that the calls of the driver
// (some microseconds each) do not dominate.
std::size_t part_bytes(std::size_t bytes) {
  constexpr std::size_t kLeast = std::size_t{256} << 10, kPage = 4096;
  return std::clamp((bytes / 8 + kPage - 1) / kPage * kPage, kLeast, SharedPieces::kPieceBytes);
}

}  // namespace

void SharedSend::start(SharedStaging& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& send = make<SharedSend>(pe.activities(), pe.pool(), engine, passage);
  if (engine.device().stream_watcher().when_reached(position_of(passage.record), send)) send.advance();
}

SharedSend::SharedSend(SharedStaging& engine, const Passage& passage)
    : Transfer(engine, passage),
      engine_(engine),
      number_(engine.next_number()),
      part_bytes_(part_bytes(passage.record.bytes)) {
  begin_time();
  run = [](Work& self, Pe&) { static_cast<SharedSend&>(self).advance(); };
  for (Part& part : parts_) {
    part.owner = this;
    part.run = [](Work& self, Pe&) {
      auto& ended = static_cast<Part&>(self);
      if (ended.is_telling)
        ended.owner->told(ended);
      else
        ended.owner->tell(ended);
    };
  }
}

SharedSend::Part* SharedSend::idle_part() {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [](const Part& part) { return !part.is_busy; });
  return found != parts_.end() ? &*found : nullptr;
}

void SharedSend::advance() {
  if (port() == nullptr) return;
  SharedPieces& pieces = engine_.own();
  while (filled_ < record().bytes && standing_ != Standing::asked && !is_short_) {
    Part* part = idle_part();
    if (part == nullptr) return;
    if (const auto piece = pieces.take(standing_ == Standing::wanted ? 0 : SharedStaging::kSpared))
      fill(*part, *piece);
    else
      fall_short();
  }
  end_when_done();
}

void SharedSend::fill(Part& part, std::size_t piece) {
  const std::size_t bytes = std::min(part_bytes_, record().bytes - filled_);
  SharedPieces& pieces = engine_.own();
  part.notice = {pieces.address(), static_cast<std::uint32_t>(piece), static_cast<std::uint32_t>(bytes), filled_,
                 number_};
  part.is_busy = true;
  ++busy_;
  StreamState& stream = engine_.stream(Way::out);
  device().driver().copy(pieces.data(piece), record().data + filled_, bytes, stream.native);
  filled_ += bytes;
  device().stream_watcher().when_reached({&stream, ++stream.submitted}, part);  // false: just submitted
}

void SharedSend::fall_short() {
  if (standing_ == Standing::wanted) {
    is_short_ = true;
    return engine_.wait_for_piece(*this);
  }
  standing_ = Standing::asked;
  engine_.wait_to_be_wanted(number_, *this);
  Part& part = *idle_part();
  part.notice = {engine_.own().address(), PieceNotice::kNone, 0, 0, number_};
  part.is_busy = true;
  ++busy_;
  tell(part);
}

void SharedSend::is_wanted() {
  standing_ = Standing::wanted;
  advance();
}

void SharedSend::has_piece() {
  is_short_ = false;
  advance();
}

void SharedSend::tell(Part& part) {
  if (port() == nullptr) return;
  part.is_telling = true;
  if (give_to_port({&part.notice, sizeof part.notice, MemoryKind::host, nullptr}, part)) told(part);
}

void SharedSend::told(Part& part) {
  part.is_busy = part.is_telling = false;
  --busy_;
  advance();
}

void SharedSend::end_when_done() {
  if (filled_ < record().bytes || busy_ > 0) return;
  count_sent();
  end_and_tell();
}

// The run ends: the memory is free.
void SharedSend::give_up() noexcept { end_and_tell(); }

SharedSend::~SharedSend() {
  for (Part& part : parts_)
    if (part.is_busy) device().stream_watcher().forget(part);
  engine_.forget(*this);
}

}  // namespace kaon::gpu
