// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_receive.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void SharedReceive::start(Device& device, PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) {
  Pe& pe = device.pe();
  auto& receive = make<SharedReceive>(pe.activities(), pe.pool(), device, from, counter, record, done);
  if (device.completions().when_reached(position_of(record), receive)) receive.listen();
}

SharedReceive::SharedReceive(Device& device, PeId from, std::uint32_t counter, PayloadRecord& record, Work& done)
    : device_(device), from_(from), counter_(counter), record_(record), done_(done) {
  run = [](Work& self, Pe&) {
    auto& receive = static_cast<SharedReceive&>(self);
    if (!receive.is_listening_ || receive.hear()) receive.listen();
  };
  for (Part& part : parts_) {
    part.owner = this;
    part.run = [](Work& self, Pe&) { static_cast<Part&>(self).owner->finish(static_cast<Part&>(self)); };
  }
  ++device_.moving_;
}

SharedReceive::~SharedReceive() {
  device_.completions().forget(*this);
  for (Part& part : parts_)
    if (part.pieces != nullptr) device_.completions().forget(part);
  device_.staging().forget(*this);
  --device_.moving_;
}

bool SharedReceive::ask() { return device_.staging().of(asked_).want(asked_for_); }

SharedReceive::Part* SharedReceive::idle_part() {
  const auto found =
      std::find_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.pieces == nullptr; });
  return found != parts_.end() ? &*found : nullptr;
}

// One notice at a time, as long as there is a part for the piece that it may name.
void SharedReceive::listen() {
  while (!is_listening_ && announced_ < record_.bytes && idle_part() != nullptr) {
    Port* port = device_.pe().exchange().port();
    if (port == nullptr) return;  // the run is over: give_up() comes
    is_listening_ = true;
    if (port->receive_payload(from_, counter_, {&notice_, sizeof notice_, MemoryKind::host, nullptr}, *this) && !hear())
      return;
  }
}

// False: this object is no more.
bool SharedReceive::hear() {
  is_listening_ = false;
  check_notice();
  try {
    device_.staging().of(notice_.place);
  } catch (const UsageError&) {
    if (!device_.pe().is_stopped()) throw;
    end();  // the run is over: its sender has gone before us, and nobody looks at the payload any more
    return false;
  }
  if (notice_.piece != PieceNotice::kNone)
    read(*idle_part());
  else
    want();
  return true;
}

void SharedReceive::want() {
  asked_ = notice_.place;
  asked_for_ = notice_.transfer;
  device_.staging().want(*this);
}

void SharedReceive::check_notice() const {
  const bool is_piece = notice_.piece != PieceNotice::kNone;
  const bool has_place = notice_.bytes > 0 && notice_.bytes <= SharedPieces::kPieceBytes &&
                         notice_.piece < SharedPieces::kPieces && notice_.offset <= record_.bytes &&
                         notice_.bytes <= record_.bytes - notice_.offset && notice_.bytes <= record_.bytes - announced_;
  if ((is_piece && !has_place) || notice_.transfer == 0)
    throw CorruptMessage("a piece of a staged payload is announced that is outside the payload");
}

void SharedReceive::read(Part& part) {
  part.pieces = &device_.staging().of(notice_.place);
  part.piece = notice_.piece;
  part.bytes = notice_.bytes;
  announced_ += part.bytes;
  StreamState& stream = device_.staging_stream(StagedTransfer::Way::in);
  device_.driver().copy(record_.data + notice_.offset, part.pieces->data(part.piece), part.bytes, stream.native);
  device_.completions().when_reached({&stream, ++stream.submitted}, part);  // false: just submitted
}

void SharedReceive::finish(Part& part) {
  std::exchange(part.pieces, nullptr)->give_back(part.piece);
  landed_ += part.bytes;
  if (landed_ < record_.bytes) return listen();
  Device& device = device_;
  Work& done = done_;
  device.has_arrived(record_);
  end();
  device.complete(done);
}

}  // namespace kaon::gpu
