// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_send.hpp"

#include <algorithm>
#include <new>

#include "kaon/gpu/device/clock.hpp"
#include "kaon/gpu/device/device.hpp"
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

void SharedSend::start(Device& device, PeId to, std::uint32_t counter, PayloadRecord& record, Work& done) {
  Pe& pe = device.pe();
  auto& send = make<SharedSend>(pe.activities(), pe.pool(), device, to, counter, record, done);
  if (device.completions().when_reached(position_of(record), send)) send.advance();
}

SharedSend::SharedSend(Device& device, PeId to, std::uint32_t counter, PayloadRecord& record, Work& done)
    : device_(device),
      to_(to),
      counter_(counter),
      record_(record),
      done_(done),
      number_(device.staging().next_number()),
      part_bytes_(part_bytes(record.bytes)),
      since_(now_ns()) {
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
  ++device_.moving_;
}

SharedSend::Part* SharedSend::idle_part() {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [](const Part& part) { return !part.is_busy; });
  return found != parts_.end() ? &*found : nullptr;
}

void SharedSend::advance() {
  if (device_.pe().exchange().port() == nullptr) return;  // the run is over: give_up() comes
  SharedPieces& pieces = device_.staging().own();
  while (filled_ < record_.bytes && standing_ != Standing::asked && !is_short_) {
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
  const std::size_t bytes = std::min(part_bytes_, record_.bytes - filled_);
  SharedPieces& pieces = device_.staging().own();
  part.notice = {pieces.place(), static_cast<std::uint32_t>(piece), static_cast<std::uint32_t>(bytes), filled_,
                 number_};
  part.is_busy = true;
  ++busy_;
  StreamState& stream = device_.staging_stream(StagedTransfer::Way::out);
  device_.driver().copy(pieces.data(piece), record_.data + filled_, bytes, stream.native);
  filled_ += bytes;
  device_.completions().when_reached({&stream, ++stream.submitted}, part);  // false: just submitted
}

void SharedSend::fall_short() {
  if (standing_ == Standing::wanted) {
    is_short_ = true;
    return device_.staging().wait_for_piece(*this);
  }
  standing_ = Standing::asked;
  device_.staging().wait_to_be_wanted(number_, *this);
  Part& part = *idle_part();
  part.notice = {device_.staging().own().place(), PieceNotice::kNone, 0, 0, number_};
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
  Port* port = device_.pe().exchange().port();
  if (port == nullptr) return;  // the run is over: give_up() comes
  part.is_telling = true;
  if (port->send_payload(to_, counter_, {&part.notice, sizeof part.notice, MemoryKind::host, nullptr}, part))
    told(part);
}

void SharedSend::told(Part& part) {
  part.is_busy = part.is_telling = false;
  --busy_;
  advance();
}

void SharedSend::end_when_done() {
  if (filled_ < record_.bytes || busy_ > 0) return;
  device_.pe().exchange().transfers().add(Path::staged, record_.bytes, seconds_since(since_));
  give_up();
}

// Done, or the run ends: the memory is free.
void SharedSend::give_up() noexcept {
  Device& device = device_;
  Work& done = done_;
  end();
  device.complete(done);
}

SharedSend::~SharedSend() {
  device_.completions().forget(*this);
  for (Part& part : parts_)
    if (part.is_busy) device_.completions().forget(part);
  device_.staging().forget(*this);
  --device_.moving_;
}

}  // namespace kaon::gpu
