// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/carried_engine.hpp"

#include <utility>

#include "kaon/gpu/engines/carried_transfers.hpp"
#include "kaon/gpu/engines/take_those.hpp"

namespace kaon::gpu {

CarriedEngine::CarriedEngine(Device& device, HostNotices& notices, const MemoryOfPayloads& memory,
                             std::size_t most_bytes)
    : Engine(device, Route::carried),
      notices_(notices),
      memory_(memory),
      most_bytes_(most_bytes),
      streams_(device),
      places_(device, notices.slabs(), notices.flags()) {}

CarriedEngine::~CarriedEngine() = default;

// Who has such a kernel presumes that its receivers have one, too. Others hear nothing of this way in their reports.
Ability CarriedEngine::ability(PeId to, const PayloadRecord& record) {
  if (record.bytes > most_bytes_ || device().carrier() == nullptr || !has_room_behind(0)) return kNotMeant;
  return notices_.can_reach(to, record) ? Ability{} : kNotMeant;
}

bool CarriedEngine::submit(const Passage& passage) { return start_either<CarriedSend, CarriedReceive>(*this, passage); }

PayloadNotice CarriedEngine::notice_of(const PayloadRecord& record) {
  PayloadNotice notice = notices_.notice_of(record);
  notice.read = flags().take();
  return notice;
}

void CarriedEngine::forget(CarriedSend& send) noexcept {
  std::erase(unposted_, &send);
  std::erase(unread_, &send);
}

void CarriedEngine::forget(CarriedReceive& receive) noexcept {
  std::erase(unheard_, &receive);
  std::erase(coming_, &receive);
  std::erase(carried_, &receive);
}

bool CarriedEngine::progress() {
  if (!must_look()) return false;
  must_ask_ |= notices_.is_rung();
  const bool asks = std::exchange(must_ask_, false);
  bool has_some = asks && post_those(unposted_);
  has_some |= take_those(unread_, &CarriedSend::is_read, &CarriedSend::has_been_read);
  if (asks) has_some |= take_those(unheard_, &CarriedReceive::finds_notice, &CarriedReceive::hear);
  has_some |= take_those(coming_, &CarriedReceive::is_here, &CarriedReceive::has_come);
  return take_carried() || has_some;
}

bool CarriedEngine::take_carried() {
  bool has_some = false;
  while (!carried_.empty() && carried_.front()->is_there()) {
    CarriedReceive& receive = *carried_.front();
    carried_.pop_front();
    receive.has_landed();
    has_some = true;
  }
  return has_some;
}

}  // namespace kaon::gpu
