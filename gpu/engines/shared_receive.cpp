// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_receive.hpp"

#include <algorithm>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void SharedReceive::start(SharedStaging& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& receive = make<SharedReceive>(pe.activities(), pe.pool(), engine, passage);
  if (engine.device().stream_watcher().when_reached(position_of(passage.record), receive)) receive.listen();
}

SharedReceive::SharedReceive(SharedStaging& engine, const Passage& passage)
    : Transfer(engine, passage), engine_(engine) {
  run = [](Work& self, Pe&) {
    auto& receive = static_cast<SharedReceive&>(self);
    if (!receive.is_listening_ || receive.hear()) receive.listen();
  };
  for (Part& part : parts_) {
    part.owner = this;
    part.run = [](Work& self, Pe&) { static_cast<Part&>(self).owner->finish(static_cast<Part&>(self)); };
  }
}

SharedReceive::~SharedReceive() {
  for (Part& part : parts_)
    if (part.pieces != nullptr) device().stream_watcher().forget(part);
  engine_.forget(*this);
}

bool SharedReceive::ask() { return engine_.of(asked_).want(asked_for_); }

SharedReceive::Part* SharedReceive::idle_part() {
  const auto found =
      std::find_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.pieces == nullptr; });
  return found != parts_.end() ? &*found : nullptr;
}

// One notice at a time, as long as there is a part for the piece that it may name.
void SharedReceive::listen() {
  while (!is_listening_ && announced_ < record().bytes && idle_part() != nullptr) {
    if (port() == nullptr) return;
    is_listening_ = true;
    if (give_to_port({&notice_, sizeof notice_, MemoryKind::host, nullptr}, *this) && !hear()) return;
  }
}

// False: this object is no more.
bool SharedReceive::hear() {
  is_listening_ = false;
  check_notice();
  try {
    engine_.of(notice_.address);
  } catch (const UsageError&) {
    if (!device().pe().is_stopped()) throw;
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
  asked_ = notice_.address;
  asked_for_ = notice_.transfer;
  engine_.want(*this);
}

void SharedReceive::check_notice() const {
  const bool is_piece = notice_.piece != PieceNotice::kNone;
  const bool has_place = notice_.bytes > 0 && notice_.bytes <= SharedPieces::kPieceBytes &&
                         notice_.piece < SharedPieces::kPieces && notice_.offset <= record().bytes &&
                         notice_.bytes <= record().bytes - notice_.offset &&
                         notice_.bytes <= record().bytes - announced_;
  if ((is_piece && !has_place) || notice_.transfer == 0)
    throw CorruptMessage("a piece of a staged payload is announced that is outside the payload");
}

void SharedReceive::read(Part& part) {
  part.pieces = &engine_.of(notice_.address);
  part.piece = notice_.piece;
  part.bytes = notice_.bytes;
  announced_ += part.bytes;
  StreamState& stream = engine_.stream(Way::in);
  device().driver().copy(record().data + notice_.offset, part.pieces->data(part.piece), part.bytes, stream.native);
  device().stream_watcher().when_reached({&stream, ++stream.submitted}, part);  // false: just submitted
}

void SharedReceive::finish(Part& part) {
  std::exchange(part.pieces, nullptr)->give_back(part.piece);
  landed_ += part.bytes;
  if (landed_ < record().bytes) return listen();
  note_arrived();
  end_and_tell();
}

}  // namespace kaon::gpu
