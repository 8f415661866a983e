// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/fetched_transfers.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void FetchedSend::start(FetchedEngine& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& send = make<FetchedSend>(pe.activities(), pe.pool(), engine, passage);
  send.run = [](Work& self, Pe&) { static_cast<FetchedSend&>(self).tell(); };
  if (engine.device().stream_watcher().when_reached(position_of(passage.record), send)) send.tell();
}

void FetchedSend::tell() {
  if (port() == nullptr) return;
  begin_time();
  if (!post()) engine_.wait_for_room(*this);
}

bool FetchedSend::post() {
  HostNotices& notices = engine_.notices();
  const auto number = notices.own_board().post(other(), counter(), notices.notice_of(record()));
  if (!number) return false;
  number_ = *number;
  engine_.wait_to_be_fetched(*this);
  return true;
}

bool FetchedSend::is_fetched() { return engine_.notices().own_board().is_taken(number_, other(), counter()); }

void FetchedSend::has_been_fetched() {
  count_sent();
  end_and_tell();
}

FetchedSend::~FetchedSend() {
  engine_.note_sent();
  engine_.forget(*this);
}

void FetchedReceive::start(FetchedEngine& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& receive = make<FetchedReceive>(pe.activities(), pe.pool(), engine, passage);
  receive.run = [](Work& self, Pe&) { static_cast<FetchedReceive&>(self).listen(); };
  if (engine.device().stream_watcher().when_reached(position_of(passage.record), receive)) receive.listen();
}

// Not looked for at once: what is heard of together is fetched together.
void FetchedReceive::listen() {
  if (port() != nullptr) engine_.wait_for_notice(*this);
}

bool FetchedReceive::finds_notice() {
  const auto posted = engine_.notices().board_of(other()).find(device().pe().id(), counter());
  if (posted) posted_ = *posted;
  return posted.has_value();
}

void FetchedReceive::fetch() {
  if (posted_.notice.bytes != record().bytes)
    throw CorruptMessage("a payload that is to be fetched is announced with another size than its message says");
  run = [](Work& self, Pe&) { static_cast<FetchedReceive&>(self).fetched(); };
  if (device().stream_watcher().when_reached(engine_.copy(record().data, posted_.notice), *this)) fetched();
}

// Its sender may use the memory again.
void FetchedReceive::fetched() {
  engine_.notices().board_of(other()).take_away(posted_.number);
  note_arrived();
  end_and_tell();
}

}  // namespace kaon::gpu
