// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/carried_transfers.hpp"

#include <atomic>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void CarriedSend::start(CarriedEngine& engine, const Passage& passage) {
  start_when_ready<CarriedSend, &CarriedSend::tell>(engine, passage);
}

void CarriedSend::tell() {
  if (port() == nullptr) return;
  begin_time();
  try {
    choose_way();
  } catch (const UsageError&) {
    if (!device().pe().is_stopped()) throw;
    return end_and_tell();  // the run is over: its receiver has gone before us
  }
  if (!post()) engine_.wait_for_room(*this);
}

void CarriedSend::choose_way() {
  if (put()) return;
  notice_ = engine_.notice_of(record());
  read_ = engine_.flags().open(notice_.read);
}

// False: there is no place for it, or no kernel that would write there.
bool CarriedSend::put() {
  Carrier* const carrier = device().carrier();
  if (carrier == nullptr) return false;
  const auto place = engine_.notices().own_board().take_place(other(), record().bytes);
  if (!place) return false;
  std::byte* const to = engine_.notices().open(place->slab, place->offset);
  const auto bytes = static_cast<std::uint32_t>(record().bytes);
  number_ = carrier->carry({record().data, to, bytes, engine_.flags().open(place->come)});
  carrier_ = carrier;
  notice_.bytes = bytes;
  notice_.lent = place->number;
  return true;
}

bool CarriedSend::post() {
  if (!engine_.notices().post(other(), counter(), notice_)) return false;
  engine_.wait_to_be_read(*this);
  return true;
}

// acquire: who reuses the memory does so behind the reads of it.
bool CarriedSend::is_read() {
  if (carrier_ != nullptr) return carrier_->has_carried(number_);
  return std::atomic_ref<std::uint32_t>(*read_).load(std::memory_order_acquire) != 0;
}

void CarriedSend::has_been_read() {
  count_sent();
  end_and_tell();
}

// What was not read may still be, and then the word belongs to that.
CarriedSend::~CarriedSend() {
  engine_.note_sent();
  engine_.forget(*this);
  if (carrier_ != nullptr) carrier_->release();
  if (read_ != nullptr && is_read()) engine_.flags().give_back(notice_.read);
}

void CarriedReceive::start(CarriedEngine& engine, const Passage& passage) {
  start_when_ready<CarriedReceive, &CarriedReceive::listen>(engine, passage);
}

void CarriedReceive::listen() {
  if (port() == nullptr) return;
  try {
    if (!finds_notice()) return engine_.wait_for_notice(*this);
  } catch (const UsageError&) {
    return end_if_over();
  }
  hear();
}

bool CarriedReceive::finds_notice() {
  const auto notice = engine_.notices().board_of(other()).take(device().pe().id(), counter());
  if (notice) notice_ = *notice;
  return notice.has_value();
}

void CarriedReceive::hear() {
  if (notice_.bytes != record().bytes)
    throw CorruptMessage("a payload that is to be carried is announced with another size than its message says");
  if (notice_.lent != PayloadNotice::kNowhere) {
    engine_.places().check(notice_.lent, other(), notice_.bytes);
    return is_here() ? has_come() : engine_.wait_to_come(*this);
  }
  try {
    fetch();
  } catch (const UsageError&) {
    end_if_over();
  }
}

// While it handles what was thrown. When the run is over its sender has gone before us, and nobody looks at the payload
// any more.
void CarriedReceive::end_if_over() {
  if (!device().pe().is_stopped()) throw;
  end();
}

// The block becomes the payload's memory; the payload's is lent instead, when nobody waits for that any more.
void CarriedReceive::has_come() {
  LentPlaces& places = engine_.places();
  const MemoryOfPayloads& memory = engine_.memory();
  Block& block = places.block(notice_.lent);
  Block* const other_block = memory.block_of(record());
  if (other_block == nullptr) {
    return bring(block.data);
  }
  const std::uint32_t number = notice_.lent;
  const NoticeBoard board = engine_.notices().board_of(other());
  memory.give(record(), block);
  places.exchange(number, *other_block);
  engine_.note_came_by_itself();
  note_arrived();
  end_and_tell();  // this object is no more
  places.lend_again(number, board);
}

void CarriedReceive::fetch() {
  const std::byte* const from = engine_.notices().open(notice_.slab, notice_.offset);
  read_ = engine_.flags().open(notice_.read);
  bring(from);
  if (engine_.memory().block_of(record()) != nullptr)
    engine_.places().note_fetched(other(), engine_.notices().board_of(other()), record().bytes);
}

void CarriedReceive::bring(const std::byte* from) {
  Carrier* const carrier = device().carrier();
  if (carrier == nullptr) return copy(from);
  number_ = carrier->carry({from, record().data, static_cast<std::uint32_t>(notice_.bytes), read_});
  carrier_ = carrier;
  engine_.wait_for_cargo(*this);
}

void CarriedReceive::has_landed() {
  std::exchange(carrier_, nullptr)->release();
  land();
}

// There is no kernel here that would carry it.
void CarriedReceive::copy(const std::byte* from) {
  StreamState& stream = engine_.stream();
  device().driver().copy(record().data, from, notice_.bytes, stream.native);
  run = [](Work& self, Pe&) { static_cast<CarriedReceive&>(self).copied(); };
  device().stream_watcher().when_reached({&stream, ++stream.submitted}, *this);  // false: just submitted
}

void CarriedReceive::copied() {
  if (read_ != nullptr) std::atomic_ref<std::uint32_t>(*read_).store(1, std::memory_order_release);
  land();
}

void CarriedReceive::land() {
  if (notice_.lent != PayloadNotice::kNowhere) engine_.places().end(notice_.lent);
  note_arrived();
  end_and_tell();
}

CarriedReceive::~CarriedReceive() {
  engine_.forget(*this);
  if (carrier_ != nullptr) carrier_->release();
}

}  // namespace kaon::gpu
