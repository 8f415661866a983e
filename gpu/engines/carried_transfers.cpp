// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/carried_transfers.hpp"

#include <atomic>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void CarriedSend::start(CarriedEngine& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& send = make<CarriedSend>(pe.activities(), pe.pool(), engine, passage);
  send.run = [](Work& self, Pe&) { static_cast<CarriedSend&>(self).tell(); };
  if (engine.device().stream_watcher().when_reached(position_of(passage.record), send)) send.tell();
}

void CarriedSend::tell() {
  if (port() == nullptr) return;
  begin_time();
  notice_ = engine_.notice_of(record());
  read_ = engine_.flags().open(notice_.read);
  run = [](Work& self, Pe&) {
    auto& send = static_cast<CarriedSend&>(self);
    send.engine_.wait_to_be_read(send);
  };
  if (give_to_port({&notice_, sizeof notice_, MemoryKind::host, nullptr}, *this)) engine_.wait_to_be_read(*this);
}

// acquire: who reuses the memory does so behind the reads of it.
bool CarriedSend::is_read() const {
  return std::atomic_ref<std::uint32_t>(*read_).load(std::memory_order_acquire) != 0;
}

void CarriedSend::has_been_read() {
  count_sent();
  end_and_tell();
}

// What was not read may still be, and then the word belongs to that.
CarriedSend::~CarriedSend() {
  engine_.note_sends(-1);
  engine_.forget(*this);
  if (read_ != nullptr && is_read()) engine_.flags().give_back(notice_.read);
}

void CarriedReceive::start(CarriedEngine& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& receive = make<CarriedReceive>(pe.activities(), pe.pool(), engine, passage);
  receive.run = [](Work& self, Pe&) { static_cast<CarriedReceive&>(self).listen(); };
  if (engine.device().stream_watcher().when_reached(position_of(passage.record), receive)) receive.listen();
}

void CarriedReceive::listen() {
  if (port() == nullptr) return;
  run = [](Work& self, Pe&) { static_cast<CarriedReceive&>(self).hear(); };
  if (give_to_port({&notice_, sizeof notice_, MemoryKind::host, nullptr}, *this)) hear();
}

void CarriedReceive::hear() {
  if (notice_.bytes != record().bytes)
    throw CorruptMessage("a payload that is to be carried is announced with another size than its message says");
  try {
    fetch();
  } catch (const UsageError&) {
    if (!device().pe().is_stopped()) throw;
    end();  // the run is over: its sender has gone before us, and nobody looks at the payload any more
  }
}

void CarriedReceive::fetch() {
  const std::byte* const from = engine_.open(notice_);
  read_ = engine_.flags().open(notice_.read);
  Carrier* const carrier = device().carrier();
  if (carrier == nullptr) return copy(from);
  number_ = carrier->carry({from, record().data, static_cast<std::uint32_t>(notice_.bytes), read_});
  carrier_ = carrier;
  engine_.wait_for_cargo(*this);
}

void CarriedReceive::has_landed() {
  std::exchange(carrier_, nullptr)->release();
  note_arrived();
  end_and_tell();
}

// There is no kernel here that would carry it.
void CarriedReceive::copy(const std::byte* from) {
  StreamState& stream = engine_.stream();
  device().driver().copy(record().data, from, notice_.bytes, stream.native);
  run = [](Work& self, Pe&) { static_cast<CarriedReceive&>(self).copied(); };
  device().stream_watcher().when_reached({&stream, ++stream.submitted}, *this);  // false: just submitted
}

void CarriedReceive::copied() {
  std::atomic_ref<std::uint32_t>(*read_).store(1, std::memory_order_release);
  note_arrived();
  end_and_tell();
}

CarriedReceive::~CarriedReceive() {
  engine_.forget(*this);
  if (carrier_ != nullptr) carrier_->release();
}

}  // namespace kaon::gpu
