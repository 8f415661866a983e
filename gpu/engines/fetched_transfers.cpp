// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/fetched_transfers.hpp"

#include "kaon/gpu/device/deferred_release.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void FetchedSend::start(FetchedEngine& engine, const Passage& passage) {
  start_when_ready<FetchedSend, &FetchedSend::tell>(engine, passage);
}

void FetchedSend::tell() {
  if (port() == nullptr) return;
  begin_time();
  if (!post()) engine_.wait_for_room(*this);
}

bool FetchedSend::post() {
  HostNotices& notices = engine_.notices();
  PayloadNotice notice = notices.notice_of(record());
  notice.may_stay = record().signal == nullptr && engine_.may_lend(other(), notice.bytes);
  const auto number = notices.post(other(), counter(), notice);
  if (!number) return false;
  number_ = *number;
  lent_bytes_ = notice.may_stay ? notice.bytes : 0;
  if (lent_bytes_ > 0) engine_.note_lent(other(), lent_bytes_);
  engine_.wait_to_be_heard_of(*this);
  return true;
}

NoticeBoard::State FetchedSend::state() const {
  return engine_.notices().own_board().state_of(number_, other(), counter());
}

// What its receiver keeps, and may keep for long, has arrived: the end of the run does not wait for it, for example.
void FetchedSend::has_been_heard_of() {
  count_sent();
  if (is_given_back()) return end_and_tell();
  end_counting();
  engine_.wait_for_memory(*this);
}

FetchedSend::~FetchedSend() {
  engine_.note_sent();
  if (lent_bytes_ > 0) engine_.note_back(other(), lent_bytes_);
  engine_.forget(*this);
}

void FetchedReceive::start(FetchedEngine& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  engine.wait_for_notice(make<FetchedReceive>(pe.activities(), pe.pool(), engine, passage));
}

bool FetchedReceive::finds_notice() {
  const auto posted = engine_.notices().board_of(other()).claim(device().pe().id(), counter());
  if (posted) posted_ = *posted;
  return posted.has_value();
}

void FetchedReceive::fetch() {
  if (posted_.notice.bytes != record().bytes)
    throw CorruptMessage("a payload that is to be fetched is announced with another size than its message says");
  if (record().data == nullptr && posted_.notice.may_stay)
    borrow();
  else
    copy();
}

void FetchedReceive::borrow() {
  const PayloadNotice& notice = posted_.notice;
  engine_.notices().board_of(other()).keep(posted_.number);
  engine_.memory().borrow(record(), engine_.notices().open(notice.slab, notice.offset), other(), posted_.number);
  note_arrived();
  end_and_tell();
}

// Who uses it on the stream of the copy need not wait for that, and others wait as for all that streams write. But
// whoever has registered memory may let that go, or use it by other means, as soon as he hears of the payload.
void FetchedReceive::copy() {
  PayloadRecord& payload = record();
  if (payload.data == nullptr) engine_.memory().give(payload, device().memory().take(payload.bytes, &engine_.stream()));
  engine_.copy(payload, posted_.notice);
  const auto* region = static_cast<const Region*>(payload.region);
  if (region->arena != nullptr) return arrive(position_of(payload));
  run = [](Work& self, Pe&) { static_cast<FetchedReceive&>(self).arrive({}); };
  device().stream_watcher().when_reached(position_of(payload), *this);  // false: just given
}

// Behind that place of a stream.
void FetchedReceive::arrive(Position behind) {
  note_arrived(behind);
  FetchedReturn::start(device(), engine_.notices().board_of(other()), posted_.number, behind);
  end_and_tell();
}

// Read, or the run ends: then nothing reads it any more either.
FetchedReturn::~FetchedReturn() {
  device_.stream_watcher().forget(*this);
  board_.take_away(notice_);
}

void FetchedReturn::start(Device& device, NoticeBoard board, std::uint32_t notice, Position last_use) noexcept {
  Pe& pe = device.pe();
  if (last_use.is_known_reached() || pe.is_stopped()) return board.take_away(notice);  // no device works then
  end_when_reached(device, last_use, make<FetchedReturn>(pe.activities(), pe.pool(), device, board, notice));
}

}  // namespace kaon::gpu
